ALTER TABLE "public"."item" RENAME COLUMN "book_code" TO "number";
ALTER TABLE "public"."item" RENAME COLUMN "book_pages" TO "length";
ALTER TABLE "public"."item" ALTER COLUMN "number" TYPE bigint USING "number"::bigint;
UPDATE "public"."item" SET "number" = "disc_code" WHERE "_entity" IN ('Disc');
ALTER TABLE "public"."item"
  ALTER COLUMN "length" TYPE text USING "length"::text,
  ADD COLUMN "book_shelf" text,
  ADD COLUMN "book_mass" text;
UPDATE "public"."item" SET "book_shelf" = "place", "book_mass" = "weight"::text WHERE "_entity" IN ('Book');
ALTER TABLE "public"."item" ADD COLUMN "disc_rack" text;
UPDATE "public"."item" SET "disc_rack" = "place" WHERE "_entity" IN ('Disc');
