INSERT INTO public.categories (code, title) VALUES ('toys', 'Toys'), ('books', 'Books');
INSERT INTO public.products (name, maker, category) VALUES
  ('Ball', 'Acme', 'toys'), ('Emma', NULL, 'books'), ('Doll', 'Acme', 'toys'), ('Car', 'Bolt', 'toys');
INSERT INTO public.labels (uid, text) VALUES
  ('00000000-0000-0000-0000-000000000001', 'NEW'), ('00000000-0000-0000-0000-000000000002', 'OLD');
INSERT INTO public.product_label (product_id, label_uid) VALUES
  (1, '00000000-0000-0000-0000-000000000001'), (2, '00000000-0000-0000-0000-000000000002'),
  (4, '00000000-0000-0000-0000-000000000001');
