ALTER TABLE "public"."book" ADD COLUMN "author" bigint;
UPDATE "public"."book" AS moved SET "author" = link.target FROM (SELECT "book" AS owner, "author" AS target FROM "public"."book_author") AS link WHERE moved."_id" = link.owner;
ALTER TABLE "public"."book" ADD CONSTRAINT "book_author_fkey" FOREIGN KEY ("author") REFERENCES "public"."author" ("_id") ON DELETE SET NULL DEFERRABLE INITIALLY IMMEDIATE;
ALTER TABLE "public"."book_author"
  DROP CONSTRAINT "book_author_book_fkey",
  DROP CONSTRAINT "book_author_author_fkey";
CREATE INDEX "book_author_idx" ON "public"."book" ("author");
