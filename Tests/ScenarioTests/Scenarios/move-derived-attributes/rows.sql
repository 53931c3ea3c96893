INSERT INTO public.document (_entity, title) VALUES ('Report', 'Yearly'), ('Letter', 'Thanks'), ('Document', 'Notes');
INSERT INTO public.part (document, pages) VALUES (1, 3), (1, 4), (2, 5), (NULL, 6);
