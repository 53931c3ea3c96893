INSERT INTO public.house DEFAULT VALUES;
INSERT INTO public.person (home) VALUES (1), (NULL);
INSERT INTO public.house_owners (house, owners) VALUES (1, 2);
