INSERT INTO public.shelf DEFAULT VALUES;
INSERT INTO public.shelf DEFAULT VALUES;
INSERT INTO public.book (title, shelf) VALUES ('Emma', 1), ('Persuasion', 1), ('Beowulf', 2), ('Dune', NULL);
