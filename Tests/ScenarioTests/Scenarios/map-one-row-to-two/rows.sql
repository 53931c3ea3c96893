INSERT INTO public.person (name, street, city) VALUES
  ('Ann', 'High Street 1', 'York'), ('Bob', NULL, 'Leeds'), ('Cy', 'Mill Lane', NULL);
