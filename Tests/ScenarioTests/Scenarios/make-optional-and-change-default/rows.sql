INSERT INTO public.book (title) VALUES ('Emma'), ('Persuasion');
