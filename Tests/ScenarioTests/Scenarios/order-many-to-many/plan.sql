ALTER TABLE "public"."book_shelf" ADD COLUMN "_shelf_position" integer;
UPDATE "public"."book_shelf" AS moved SET "_shelf_position" = numbered.place FROM (SELECT "books", "shelf", row_number() OVER (PARTITION BY "books" ORDER BY "shelf") - 1 FROM "public"."book_shelf") AS numbered ("key_1", "key_2", place) WHERE moved."books" = numbered."key_1" AND moved."shelf" = numbered."key_2";
ALTER TABLE "public"."book_shelf"
  ALTER COLUMN "_shelf_position" SET NOT NULL,
  ADD COLUMN "_books_position" integer;
UPDATE "public"."book_shelf" AS moved SET "_books_position" = numbered.place FROM (SELECT "shelf", "books", row_number() OVER (PARTITION BY "shelf" ORDER BY "books") - 1 FROM "public"."book_shelf") AS numbered ("key_1", "key_2", place) WHERE moved."shelf" = numbered."key_1" AND moved."books" = numbered."key_2";
ALTER TABLE "public"."book_shelf" ALTER COLUMN "_books_position" SET NOT NULL;
