INSERT INTO public.item (_entity, book_length, book_code, film_length, film_code) VALUES ('Book', 400, 'b', NULL, NULL), ('Film', NULL, NULL, 5000000000, NULL), ('Song', NULL, NULL, NULL, NULL);
