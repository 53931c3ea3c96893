ALTER TABLE "public"."item"
  ADD COLUMN "book_code" text,
  ADD COLUMN "book_pages" integer;
UPDATE "public"."item" SET "book_code" = "code", "book_pages" = "pages" WHERE "_entity" IN ('Book');
ALTER TABLE "public"."item" ADD COLUMN "film_code" text;
UPDATE "public"."item" SET "film_code" = "code" WHERE "_entity" IN ('Film');
ALTER TABLE "public"."item"
  ADD CONSTRAINT "item_book_code_check" CHECK ("_entity" <> 'Book' OR "book_code" IS NOT NULL),
  ADD CONSTRAINT "item_book_pages_check" CHECK ("_entity" <> 'Book' OR "book_pages" IS NOT NULL),
  ADD CONSTRAINT "item_film_code_check" CHECK ("_entity" <> 'Film' OR "film_code" IS NOT NULL),
  ALTER COLUMN "code" DROP NOT NULL,
  ALTER COLUMN "pages" DROP NOT NULL;
