INSERT INTO public.book (title, price) VALUES ('Emma', 7.50), ('Persuasion', NULL);
