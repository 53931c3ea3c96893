INSERT INTO public.book (_entity, title, pages, novel_code) VALUES ('Book', '', 0, NULL), ('Novel', 'x', 5001, 'AB1');
