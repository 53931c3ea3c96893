INSERT INTO public.item (_entity, title, book_isbn, film_minutes) VALUES ('Book', 'Emma', '1', NULL), ('Film', 'Emma.', NULL, 124);

INSERT INTO public.reader (favourite) VALUES (1), (2);
INSERT INTO public.reader_shelf (reader, shelf) VALUES (1, 1), (1, 2), (2, 2);
