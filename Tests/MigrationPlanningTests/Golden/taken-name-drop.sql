-- lock: s.book ACCESS EXCLUSIVE
-- lock: s.tome ACCESS EXCLUSIVE
DROP INDEX "s"."tome_book_idx";
-- breaks-previous-release
ALTER TABLE "s"."book" RENAME TO "remodel_temporary_book";
-- breaks-previous-release
ALTER TABLE "s"."tome" RENAME TO "book";
-- breaks-previous-release, deletes-data
ALTER TABLE "s"."book"
  ADD COLUMN "title" bigint CONSTRAINT "book_title_fkey" REFERENCES "s"."book" ("_id") ON DELETE SET NULL DEFERRABLE INITIALLY IMMEDIATE,
  DROP CONSTRAINT "tome_book_fkey",
  DROP COLUMN "book";
-- blocks-writes, scans-table
CREATE INDEX "book_title_idx" ON "s"."book" ("title");
-- deletes-data
DROP TABLE "s"."remodel_temporary_book";
ALTER SEQUENCE "s"."tome__id_seq" RENAME TO "book__id_seq";
ALTER TABLE "s"."book" RENAME CONSTRAINT "tome_pkey" TO "book_pkey";
