INSERT INTO public.book (_entity, title, pages, novel_code) VALUES ('Book', 'Emma', 1, NULL), ('Novel', 'x', NULL, 'AB1');
