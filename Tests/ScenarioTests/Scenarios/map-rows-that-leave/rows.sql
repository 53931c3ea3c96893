INSERT INTO public.customer (name, is_active) VALUES
  ('Ann', true), ('Bob', true), ('Cy', false), ('anonymous', true), ('Di', true);

INSERT INTO public."order" (number, customer) VALUES
  (1, 1), (2, 1), (3, 2), (4, 3), (5, 4), (6, 5), (7, NULL);
