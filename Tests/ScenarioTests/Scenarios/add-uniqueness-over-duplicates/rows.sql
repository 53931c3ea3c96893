INSERT INTO public.book (title) VALUES ('Emma'), ('Emma'), ('Persuasion');
