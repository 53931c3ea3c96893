INSERT INTO public.owner DEFAULT VALUES; INSERT INTO public.book (title, shelf_mark, owner) VALUES ('Emma', 'A1', 1);
