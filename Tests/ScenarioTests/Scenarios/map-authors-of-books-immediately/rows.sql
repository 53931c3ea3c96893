INSERT INTO public.book (title, author_name, year) VALUES
  ('Emma', 'Jane Austen', 1815),
  ('Persuasion', 'Jane Austen', 1817),
  ('Beowulf', NULL, 1000),
  ('Middlemarch', 'George Eliot', 1871);
