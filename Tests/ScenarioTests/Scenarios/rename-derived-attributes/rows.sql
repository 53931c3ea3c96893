INSERT INTO public.book (title, note, other) VALUES ('Emma', 'a novel', 'plain'), ('Persuasion', NULL, NULL);
INSERT INTO public.chapter (book, pages) VALUES (1, 3), (1, 4), (NULL, 5);
