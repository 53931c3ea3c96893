UPDATE "public"."item" SET "book_isbn" = 'none' WHERE "_entity" IN ('Book') AND "book_isbn" IS NULL;
ALTER TABLE "public"."item"
  ADD CONSTRAINT "item_book_isbn_check" CHECK ("_entity" <> 'Book' OR "book_isbn" IS NOT NULL),
  ADD CONSTRAINT "item_film_minutes_check" CHECK ("_entity" <> 'Film' OR "film_minutes" IS NOT NULL);
CREATE UNIQUE INDEX "item_book_isbn_title_idx" ON "public"."item" ("book_isbn", "title") WHERE "_entity" IN ('Book');
