INSERT INTO public.book (title) VALUES ('Emma'), ('Persuasion');
INSERT INTO public.shelf (name) VALUES ('top');
