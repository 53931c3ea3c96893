INSERT INTO public.item (_entity, code, book_pages) VALUES ('Book', 'b1', ' 120 '), ('Book', 'b2', '');

INSERT INTO public.item (_entity, code, film_minutes, film_sequel) VALUES ('Film', 'f1', 90, NULL);

INSERT INTO public.item (_entity, code, film_minutes, film_sequel) VALUES ('Film', 'f2', 80, 3);
