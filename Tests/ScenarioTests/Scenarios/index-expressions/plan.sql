DROP INDEX "public"."book_expr_idx";
DROP INDEX "public"."book_price_idx";
ALTER TABLE "public"."book" RENAME COLUMN "title" TO "name";
ALTER TABLE "public"."book"
  ALTER COLUMN "price" TYPE bigint USING "price"::bigint,
  ADD CONSTRAINT "book_author_given_author_family_key" UNIQUE ("author_given", "author_family");
CREATE INDEX "book_expr_idx" ON "public"."book" ((lower(regexp_replace(normalize("name", NFKD), '[\u0300-\u036F\u1AB0-\u1AFF\u1DC0-\u1DFF\u20D0-\u20FF\uFE20-\uFE2F]', '', 'g')))) WHERE ("price" > 3) OR ("state" IS DISTINCT FROM 'sold');
CREATE INDEX "book_expr_name_idx" ON "public"."book" (("price" * 2::bigint) DESC, "name") WHERE ((("state" = 'a') OR ("state" = 'b'))) IS NOT TRUE;
CREATE INDEX "book_price_idx" ON "public"."book" ("price") WHERE "state" IS NULL;
