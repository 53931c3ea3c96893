INSERT INTO public."left" (name, size) VALUES ('one', 1), ('two', 2);
INSERT INTO public."right" (name, size, other) VALUES ('a', 'big', 2), ('b', NULL, NULL);
