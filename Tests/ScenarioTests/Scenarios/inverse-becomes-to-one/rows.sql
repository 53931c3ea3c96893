INSERT INTO public.shelf DEFAULT VALUES;
INSERT INTO public.book (title) VALUES ('Emma'), ('Persuasion');
INSERT INTO public.book_shelf (books, shelf, _books_position) VALUES (1, 1, 1), (2, 1, 0);
