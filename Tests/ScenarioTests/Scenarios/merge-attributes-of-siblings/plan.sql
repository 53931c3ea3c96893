ALTER TABLE "public"."item" RENAME COLUMN "book_code" TO "code";
ALTER TABLE "public"."item" RENAME COLUMN "book_length" TO "length";
ALTER TABLE "public"."item"
  ALTER COLUMN "length" TYPE bigint USING "length"::bigint,
  ALTER COLUMN "code" SET DEFAULT 'none',
  DROP CONSTRAINT "item_book_code_check";
UPDATE "public"."item" SET "length" = "film_length", "code" = coalesce("film_code", 'none') WHERE "_entity" IN ('Film');
UPDATE "public"."item" SET "code" = 'none' WHERE "_entity" IN ('Song');
ALTER TABLE "public"."item" ALTER COLUMN "code" SET NOT NULL;
