INSERT INTO public.item (_entity, title, place, weight, book_code, book_pages, disc_code) VALUES
  ('Item', 'vase', 'hall', 2, NULL, NULL, NULL), ('Book', 'Emma', 'a1', 300, 17, 400, NULL),
  ('Disc', 'Aja', 'b2', NULL, NULL, NULL, 5000000000);
