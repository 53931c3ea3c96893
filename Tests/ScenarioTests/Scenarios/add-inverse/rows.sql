INSERT INTO public.author DEFAULT VALUES;
INSERT INTO public.author DEFAULT VALUES;
INSERT INTO public.book (author) VALUES (1), (NULL), (NULL);
INSERT INTO public.author_works (author, works) VALUES (1, 1), (2, 2);
