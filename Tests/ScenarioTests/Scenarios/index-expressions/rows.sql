INSERT INTO public.book (title, price, state, author_given) VALUES ('Crónica', 4, NULL, 'a'), ('Emma', 2, 'sold', 'b');
