INSERT INTO public.author DEFAULT VALUES;
INSERT INTO public.book (title) VALUES ('Emma'), ('Beowulf');
INSERT INTO public.book_author (book, author) VALUES (1, 1);
