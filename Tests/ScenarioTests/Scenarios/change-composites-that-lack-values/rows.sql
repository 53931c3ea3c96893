INSERT INTO public.shop (address_street, address_town, address_zip, address_place_x,
  address_place_y, label_text, label_kind)
VALUES ('Main', 'Bern', 3000, 1.5, 2.5, 'abcdef', 'b');
