INSERT INTO public.shop (address_street, address_town, address_zip, address_note, address_place_x,
  address_place_y, branch_street, branch_town, branch_zip, branch_note, branch_place_x,
  branch_place_y, label_text, label_kind)
VALUES ('Main', 'Bern', 3000, 'near', 1.5, 2.5, 'Side', 'Basel', 4000, NULL, 0, 0, 'abc', 'a'),
  ('High', 'Chur', 7000, NULL, 0, 0, 'Back', 'Zug', 6300, 'far', 0.25, 0, NULL, NULL);
