ALTER TABLE "public"."book" ADD COLUMN "_books_position" integer;
UPDATE "public"."book" AS moved SET "_books_position" = numbered.place FROM (SELECT "_id", row_number() OVER (PARTITION BY "shelf" ORDER BY "_id") - 1 FROM "public"."book" WHERE "shelf" IS NOT NULL) AS numbered ("key_1", place) WHERE moved."_id" = numbered."key_1";
