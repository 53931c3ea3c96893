INSERT INTO public.author (name) VALUES ('Gabriel García Márquez');
INSERT INTO public.book (title, author) VALUES ('Crónica', 1), ('ÆON', NULL);
INSERT INTO public.chapter (pages, book) VALUES (10, 1), (20, 1), (30, NULL);
