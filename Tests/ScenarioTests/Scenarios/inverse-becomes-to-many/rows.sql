INSERT INTO public.shelf DEFAULT VALUES;
INSERT INTO public.shelf DEFAULT VALUES;
INSERT INTO public.book (title, shelf, _books_position) VALUES ('Emma', 1, 1), ('Persuasion', 1, 0), ('Beowulf', 2, 7), ('Dune', NULL, NULL);
