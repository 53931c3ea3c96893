INSERT INTO public.item (_entity, title, book_isbn) VALUES ('Book', 'Emma', '1'), ('Book', 'Persuasion', '1'), ('Film', 'Emma.', NULL);
