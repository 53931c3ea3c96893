INSERT INTO public.shelf DEFAULT VALUES; INSERT INTO public.book (shelf) VALUES (1), (NULL);
