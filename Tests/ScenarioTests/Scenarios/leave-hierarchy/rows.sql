INSERT INTO public.shelf DEFAULT VALUES;
INSERT INTO public.item (_entity, title, book_isbn, book_shelf, _books_position) VALUES ('Item', 'Vase', NULL, NULL, NULL), ('Book', 'Emma', '1', 1, 1), ('Book', 'Persuasion', NULL, 1, 0);
