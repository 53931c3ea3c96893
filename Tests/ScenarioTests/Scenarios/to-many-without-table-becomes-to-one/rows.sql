INSERT INTO public.b (n) VALUES ('b');
