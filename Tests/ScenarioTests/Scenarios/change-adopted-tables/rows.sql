INSERT INTO public.categories (code, title) VALUES ('toys', 'Toys'), ('books', 'Books');
INSERT INTO public.products (name, price, category_code) VALUES
  ('Ball', 2.50, 'toys'), ('Emma', 7, 'books'), ('Doll', DEFAULT, 'toys');
INSERT INTO public.labels (uid, text) VALUES ('00000000-0000-0000-0000-000000000001', 'new');
INSERT INTO public.product_label (product_id, label_uid)
  SELECT id, '00000000-0000-0000-0000-000000000001' FROM public.products WHERE id < 3;
UPDATE public.categories SET "created_at" = '2024-01-01 00:00:00+00';
