INSERT INTO public.book (title) VALUES ('Emma'), (NULL), (NULL);
