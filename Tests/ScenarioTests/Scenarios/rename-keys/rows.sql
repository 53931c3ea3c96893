INSERT INTO public.shelf (uid, name) VALUES ('00000000-0000-0000-0000-000000000001', 'high');
INSERT INTO public.book (title, shelf) VALUES ('Emma', '00000000-0000-0000-0000-000000000001');
INSERT INTO public.book (title, shelf, prequel) SELECT 'More Emma', shelf, id FROM public.book;
INSERT INTO public.room DEFAULT VALUES;
INSERT INTO public.room_shelves SELECT 1, uid FROM public.shelf;
