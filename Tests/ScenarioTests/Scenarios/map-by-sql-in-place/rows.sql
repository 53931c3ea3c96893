INSERT INTO public.book (title, isbn) VALUES ('Emma', NULL), ('Kim', '1');
