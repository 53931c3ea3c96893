INSERT INTO public."user" (name) VALUES ('jane'), ('john');

INSERT INTO public.book (title, file_url, owner) VALUES
  ('Emma', 'file:///austen', 1),
  ('Persuasion', 'file:///austen', 1),
  ('Emma', 'file:///austen', 2),
  ('Beowulf', NULL, 2);
