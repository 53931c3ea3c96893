INSERT INTO public.item (_entity, book_title) VALUES ('Book', 'Emma'), ('Book', 'Persuasion');
INSERT INTO public.reader (favourite) VALUES (2), (NULL);
INSERT INTO public.reader_shelf (reader, shelf) VALUES (1, 1), (2, 2);
