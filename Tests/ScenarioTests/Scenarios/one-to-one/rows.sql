INSERT INTO public.pass (number) VALUES (7), (8);
INSERT INTO public.person (pass) VALUES (2), (1), (NULL);
