INSERT INTO public.reading (temperature) VALUES (14), (NULL), (104);
