ALTER TABLE "public"."book" RENAME TO "item";
ALTER SEQUENCE "public"."book__id_seq" RENAME TO "item__id_seq";
ALTER TABLE "public"."item" RENAME CONSTRAINT "book_pkey" TO "item_pkey";
CREATE TABLE "public"."author_books" (
  "author" bigint CONSTRAINT "author_books_author_not_null" NOT NULL,
  "books" bigint CONSTRAINT "author_books_books_not_null" NOT NULL,
  "_books_position" integer CONSTRAINT "author_books__books_position_not_null" NOT NULL,
  CONSTRAINT "author_books_pkey" PRIMARY KEY ("author", "books")
);
INSERT INTO "public"."author_books" ("author", "books", "_books_position") SELECT link.owner, link.target, row_number() OVER (PARTITION BY link."owner" ORDER BY link."target") - 1 FROM (SELECT "author" AS owner, "_id" AS target FROM "public"."item" WHERE "author" IS NOT NULL) AS link;
ALTER TABLE "public"."author_books"
  ADD CONSTRAINT "author_books_author_fkey" FOREIGN KEY ("author") REFERENCES "public"."author" ("_id") ON DELETE CASCADE DEFERRABLE INITIALLY IMMEDIATE,
  ADD CONSTRAINT "author_books_books_fkey" FOREIGN KEY ("books") REFERENCES "public"."item" ("_id") ON DELETE CASCADE DEFERRABLE INITIALLY IMMEDIATE;
ALTER TABLE "public"."item"
  ADD COLUMN "_entity" text DEFAULT 'Book' CONSTRAINT "item__entity_not_null" NOT NULL,
  ALTER COLUMN "_entity" SET DEFAULT NULL,
  DROP CONSTRAINT "book_author_fkey",
  ADD CONSTRAINT "item__entity_check" CHECK ("_entity" IN ('Book'));
CREATE INDEX "author_books_books_idx" ON "public"."author_books" ("books");
