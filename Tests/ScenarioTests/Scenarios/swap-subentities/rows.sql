INSERT INTO public.item (_entity, title, book_isbn, film_minutes) VALUES ('Book', 'Emma', '1', NULL), ('Film', 'Emma.', NULL, 124);
