INSERT INTO public.person (name, home, work) VALUES
  ('Ann Lee', 'Rome', 'Bonn'), ('Bob Ray', NULL, NULL), ('Nobody', 'Oslo', NULL);

INSERT INTO public."group" (label) VALUES ('even'), ('odd');

INSERT INTO public.group_members (groups, members) VALUES (1, 1), (1, 2), (1, 3), (2, 3);

INSERT INTO public.note (text, person) VALUES ('first', 1), (';', 2), ('third', 2), ('lost', 3);
