ALTER TABLE "public"."item"
  ADD COLUMN "book_pages" integer DEFAULT 100,
  ALTER COLUMN "book_pages" SET DEFAULT NULL,
  ADD COLUMN "film_minutes" integer,
  DROP CONSTRAINT "item__entity_check";
UPDATE "public"."item" SET "book_isbn" = 'none' WHERE "_entity" IN ('Book') AND "book_isbn" IS NULL;
ALTER TABLE "public"."item"
  ADD CONSTRAINT "item__entity_check" CHECK ("_entity" IN ('Book', 'Film')),
  ADD CONSTRAINT "item_book_isbn_check" CHECK ("_entity" <> 'Book' OR "book_isbn" IS NOT NULL),
  ADD CONSTRAINT "item_book_pages_check" CHECK ("_entity" <> 'Book' OR "book_pages" IS NOT NULL),
  ADD CONSTRAINT "item_film_minutes_check" CHECK ("_entity" <> 'Film' OR "film_minutes" IS NOT NULL);
CREATE UNIQUE INDEX "item_book_isbn_book_pages_idx" ON "public"."item" ("book_isbn", "book_pages") WHERE "_entity" IN ('Book');
