INSERT INTO public.writer (name, born) VALUES ('Austen', '1775-12-16'), ('Sterne', NULL);
INSERT INTO public.book (title, writer) VALUES ('Emma', 1), ('Tristram Shandy', 2);
