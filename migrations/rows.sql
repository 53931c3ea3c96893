-- Rows for version 1 of the sample: psql --file migrations/rows.sql
BEGIN;

INSERT INTO "user" (_id, name, nickname) VALUES
  (1, 'Jane Doe', 'jane'),
  (2, 'John Roe', NULL);

INSERT INTO book (title, author_name, price, pages, file_url, owner) VALUES
  ('Persuasion', 'Jane Austen', 7.50, 249, 'file:///books/persuasion.epub', 1),
  ('Emma', 'Jane Austen', NULL, 474, 'file:///books/emma.epub', 1),
  ('Good Omens', 'Terry Pratchett', 11.99, 288, NULL, 1),
  ('Middlemarch', 'George Eliot', NULL, NULL, NULL, 2);

-- The keys of the users were chosen above: the next one comes after them.
ALTER TABLE "user" ALTER COLUMN _id RESTART WITH 3;

COMMIT;

-- The estimates in a plan come from the server's statistics.
ANALYZE;
