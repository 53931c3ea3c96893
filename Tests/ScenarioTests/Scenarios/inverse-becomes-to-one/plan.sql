ALTER TABLE "public"."book"
  ADD COLUMN "shelf" bigint,
  ADD COLUMN "_books_position" integer;
UPDATE "public"."book" AS moved SET "shelf" = link.target, "_books_position" = link."owner_position" FROM (SELECT "books" AS owner, "shelf" AS target, "_books_position" AS "owner_position" FROM "public"."book_shelf") AS link WHERE moved."_id" = link.owner;
ALTER TABLE "public"."book" ADD CONSTRAINT "book_shelf_fkey" FOREIGN KEY ("shelf") REFERENCES "public"."shelf" ("_id") ON DELETE SET NULL DEFERRABLE INITIALLY IMMEDIATE;
ALTER TABLE "public"."book_shelf"
  DROP CONSTRAINT "book_shelf_books_fkey",
  DROP CONSTRAINT "book_shelf_shelf_fkey",
  ALTER COLUMN "_books_position" DROP NOT NULL;
CREATE INDEX "book_shelf_idx" ON "public"."book" ("shelf");
