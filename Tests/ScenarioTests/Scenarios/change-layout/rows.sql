INSERT INTO public.person (_id, name, email, parent) VALUES (1, 'a', 'a@b', NULL), (2, 'b', NULL, 1), (3, 'c', 'c@d', 2);
INSERT INTO public."group" (_id, title, leader) VALUES (1, 'g', 1);
INSERT INTO public.passport (_id, number, holder) VALUES (1, 'x', 1), (2, 'y', 2);
