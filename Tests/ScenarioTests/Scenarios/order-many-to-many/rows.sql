INSERT INTO public.shelf DEFAULT VALUES;
INSERT INTO public.shelf DEFAULT VALUES;
INSERT INTO public.book (title) VALUES ('Emma'), ('Persuasion');
INSERT INTO public.book_shelf (books, shelf) VALUES (1, 1), (2, 1), (2, 2);
