INSERT INTO public.party (_entity, note, person_first, person_last, person_born)
  VALUES ('Person', 'a', 'Ada', NULL, '2001-01-01T00:00:00Z'), ('Person', NULL, 'Bob', 'Bee', '2002-01-01T00:00:00Z');
INSERT INTO public.party (_entity, company_title, company_seats) VALUES ('Company', 'Acme', 101), ('Company', 'Bcme', NULL);
INSERT INTO public.sale (quantity, price, discount, buyer)
  VALUES (2, 1.50, 4, 1), (3, 2.00, NULL, 3), (0, 9.99, 3, NULL);
