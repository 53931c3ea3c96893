INSERT INTO public.pass (number) VALUES (7);
INSERT INTO public.person (pass) VALUES (1), (1);
