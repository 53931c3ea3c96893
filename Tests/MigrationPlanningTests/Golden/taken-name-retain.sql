-- lock: s.book ACCESS EXCLUSIVE
-- lock: s.tome ACCESS EXCLUSIVE
-- breaks-previous-release
ALTER TABLE "s"."book" RENAME TO "remodel_retained_1_book";
-- breaks-previous-release
ALTER TABLE "s"."tome" RENAME TO "book";
ALTER TABLE "s"."book_pkey" RENAME TO "remodel_retained_1_book_pkey";
ALTER TABLE "s"."book" RENAME CONSTRAINT "tome_pkey" TO "book_pkey";
ALTER TABLE "s"."book__id_seq" RENAME TO "remodel_retained_1_book__id_seq";
ALTER SEQUENCE "s"."tome__id_seq" RENAME TO "book__id_seq";
ALTER TABLE "s"."book"
  ADD COLUMN "title" bigint CONSTRAINT "book_title_fkey" REFERENCES "s"."book" ("_id") ON DELETE SET NULL DEFERRABLE INITIALLY IMMEDIATE,
  DROP CONSTRAINT "tome_book_fkey";
ALTER TABLE "s"."remodel_retained_1_book" ALTER COLUMN "title" DROP NOT NULL;
-- blocks-writes, scans-table
CREATE INDEX "book_title_idx" ON "s"."book" ("title");
-- retained: book.book, restored by: ["ADD CONSTRAINT \"tome_book_fkey\" FOREIGN KEY (\"book\") REFERENCES \"s\".\"remodel_retained_1_book\" (\"_id\") ON DELETE SET NULL DEFERRABLE INITIALLY IMMEDIATE"]
-- retained: remodel_retained_1_book, restored by: ["ALTER COLUMN \"title\" SET NOT NULL"]
