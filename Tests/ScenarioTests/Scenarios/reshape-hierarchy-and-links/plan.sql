ALTER TABLE "public"."book" RENAME TO "item";
ALTER SEQUENCE "public"."book__id_seq" RENAME TO "item__id_seq";
ALTER TABLE "public"."item" RENAME CONSTRAINT "book_pkey" TO "item_pkey";
CREATE TABLE "public"."author_books" (
  "author" bigint CONSTRAINT "author_books_author_not_null" NOT NULL,
  "books" bigint CONSTRAINT "author_books_books_not_null" NOT NULL,
  "_books_position" integer,
  CONSTRAINT "author_books_pkey" PRIMARY KEY ("author", "books")
);
INSERT INTO "public"."author_books" ("author", "books", "_books_position") SELECT link.owner, link.target, link."target_position" FROM (SELECT "author" AS owner, "_id" AS target, NULL::integer AS target_position, NULL::integer AS owner_position FROM "public"."item" WHERE "author" IS NOT NULL AND "_id" IS NOT NULL) AS link;
UPDATE "public"."author_books" AS moved SET "_books_position" = numbered.place FROM (SELECT "author", "books", row_number() OVER (PARTITION BY "author" ORDER BY "_books_position", "books") - 1 FROM "public"."author_books" WHERE "author" IS NOT NULL) AS numbered ("key_1", "key_2", place) WHERE moved."author" = numbered."key_1" AND moved."books" = numbered."key_2";
ALTER TABLE "public"."author_books"
  ALTER COLUMN "_books_position" SET NOT NULL,
  ADD CONSTRAINT "author_books_author_fkey" FOREIGN KEY ("author") REFERENCES "public"."author" ("_id") ON DELETE CASCADE DEFERRABLE INITIALLY IMMEDIATE,
  ADD CONSTRAINT "author_books_books_fkey" FOREIGN KEY ("books") REFERENCES "public"."item" ("_id") ON DELETE CASCADE DEFERRABLE INITIALLY IMMEDIATE;
ALTER TABLE "public"."item"
  ADD COLUMN "_entity" text DEFAULT 'Book' CONSTRAINT "item__entity_not_null" NOT NULL,
  ALTER COLUMN "_entity" SET DEFAULT NULL,
  DROP CONSTRAINT "book_author_fkey",
  ADD CONSTRAINT "item__entity_check" CHECK ("_entity" IN ('Book'));
CREATE INDEX "author_books_books_idx" ON "public"."author_books" ("books");
