INSERT INTO public.item (_entity, title, print_pages, book_isbn) VALUES ('Item', 'a', NULL, NULL), ('Print', 'b', 2, NULL), ('Book', 'c', 3, 'x'), ('Film', 'd', NULL, NULL);
