INSERT INTO public.author DEFAULT VALUES;
INSERT INTO public.author DEFAULT VALUES;
INSERT INTO public.book (author) VALUES (1);
INSERT INTO public.author_works (author, works) VALUES (2, 1);
