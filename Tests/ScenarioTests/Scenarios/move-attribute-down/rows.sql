INSERT INTO public.item (_entity, title, code, pages) VALUES ('Book', 'Emma', 'b', 400), ('Film', 'Emma.', 'f', 2), ('Song', 'Emma!', 's', 3);
