INSERT INTO public.author DEFAULT VALUES;
INSERT INTO public.book (author) VALUES (1), (NULL);
