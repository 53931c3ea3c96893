INSERT INTO public.author DEFAULT VALUES;
INSERT INTO public.author DEFAULT VALUES;
INSERT INTO public.book (title) VALUES ('Emma'), ('Good Omens');
INSERT INTO public.book_author (book, author) VALUES (1, 1), (2, 1), (2, 2);
