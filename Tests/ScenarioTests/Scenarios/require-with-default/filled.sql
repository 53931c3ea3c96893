-- copy: create schema "remodel_staging" for the functions of the triggers
CREATE SCHEMA "remodel_staging";
-- copy: create the function that computes column "price" of table "book"
CREATE FUNCTION "remodel_staging"."fill_book"() RETURNS trigger LANGUAGE plpgsql
  SET quote_all_identifiers = off
  SET search_path = pg_catalog, pg_temp
  SET standard_conforming_strings = on
  SET transform_null_equals = off
  SET TimeZone = 'UTC'
  SET DateStyle = 'ISO, YMD'
  SET IntervalStyle = 'postgres'
  SET extra_float_digits = 1
  SET bytea_output = 'hex'
  SET xmloption = content AS $remodel$
DECLARE
  "source" ALIAS FOR NEW;
BEGIN
  NEW."remodel_temporary_price" := coalesce("source"."price", 0);
  RETURN NEW;
END
$remodel$;
-- copy: keep others from calling the function that computes columns of table "book"
REVOKE ALL ON FUNCTION "remodel_staging"."fill_book"() FROM PUBLIC;
-- copy: add column "price" to table "book" under other names
ALTER TABLE "public"."book"
  ADD COLUMN "remodel_temporary_price" numeric(10,2);
-- copy: compute column "price" for rows that are written to table "book"
CREATE TRIGGER "~remodel_fill" BEFORE INSERT OR UPDATE ON "public"."book"
  FOR EACH ROW EXECUTE FUNCTION "remodel_staging"."fill_book"();
-- copy: compute column "price" for rows that replication writes to table "book"
ALTER TABLE "public"."book" ENABLE ALWAYS TRIGGER "~remodel_fill";
-- copy: fill column "price" of table "book"
UPDATE "public"."book" AS "source"
  SET "remodel_temporary_price" = coalesce("source"."price", 0)
  WHERE ("source"."remodel_temporary_price" IS DISTINCT FROM (coalesce("source"."price", 0))::numeric(10,2));
-- copy: refuse nulls in the filled columns of table "book"
ALTER TABLE "public"."book" ADD CONSTRAINT "remodel_temporary_book_price_filled" CHECK ("remodel_temporary_price" IS NOT NULL) NOT VALID;
-- copy: validate constraint "remodel_temporary_book_price_filled" of table "book"
ALTER TABLE "public"."book" VALIDATE CONSTRAINT "remodel_temporary_book_price_filled";
-- switch: drop constraint "book_price_check" of table "book"
ALTER TABLE "public"."book" DROP CONSTRAINT "book_price_check";
-- switch: replace column "price" of table "book" by the filled one of type numeric(10,2)
ALTER TABLE "public"."book" DROP COLUMN "price";
-- switch: replace column "price" of table "book" by the filled one of type numeric(10,2)
ALTER TABLE "public"."book" RENAME COLUMN "remodel_temporary_price" TO "price";
-- switch: replace column "price" of table "book" by the filled one of type numeric(10,2)
ALTER TABLE "public"."book" ALTER COLUMN "price" SET DEFAULT 0, ALTER COLUMN "price" SET NOT NULL;
-- switch: replace column "price" of table "book" by the filled one of type numeric(10,2)
ALTER TABLE "public"."book" DROP CONSTRAINT "remodel_temporary_book_price_filled";
-- switch: add constraint "book_price_check" to table "book"
ALTER TABLE "public"."book" ADD CONSTRAINT "book_price_check" CHECK ("price" >= 0) NOT VALID;
-- deferred: validate constraint "book_price_check" of table "book"
ALTER TABLE "public"."book" VALIDATE CONSTRAINT "book_price_check";
