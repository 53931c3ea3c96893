INSERT INTO public.author DEFAULT VALUES;
INSERT INTO public.book (title, author) VALUES ('Emma', 1), ('Beowulf', NULL);
