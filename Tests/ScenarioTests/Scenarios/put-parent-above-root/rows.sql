INSERT INTO public.shelf DEFAULT VALUES;
INSERT INTO public.book (title, isbn, shelf, _books_position) VALUES ('Emma', '1', 1, 1), ('Persuasion', NULL, 1, 0);
INSERT INTO public.reader (favourite) VALUES (2), (NULL);
