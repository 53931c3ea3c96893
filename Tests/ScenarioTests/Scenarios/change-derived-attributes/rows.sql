INSERT INTO public.book (title) VALUES ('Emma'), ('Persuasion');
INSERT INTO public.chapter (book) VALUES (1), (1), (NULL);
