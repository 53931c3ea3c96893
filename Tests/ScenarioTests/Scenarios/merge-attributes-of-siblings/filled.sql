-- copy: create schema "remodel_staging" for the functions of the triggers
CREATE SCHEMA "remodel_staging";
-- copy: create the function that computes columns "length", "code" of table "item"
CREATE FUNCTION "remodel_staging"."fill_item"() RETURNS trigger LANGUAGE plpgsql
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
  NEW."remodel_temporary_length" := (CASE WHEN "source"."_entity" = 'Book' THEN "source"."book_length"::bigint WHEN "source"."_entity" = 'Film' THEN "source"."film_length" WHEN "source"."_entity" = 'Song' THEN NULL::bigint END);
  NEW."remodel_temporary_code" := (CASE WHEN "source"."_entity" = 'Book' THEN "source"."book_code" WHEN "source"."_entity" = 'Film' THEN coalesce("source"."film_code", 'none') WHEN "source"."_entity" = 'Song' THEN 'none' END);
  RETURN NEW;
END
$remodel$;
-- copy: keep others from calling the function that computes columns of table "item"
REVOKE ALL ON FUNCTION "remodel_staging"."fill_item"() FROM PUBLIC;
-- copy: add columns "length", "code" to table "item" under other names
ALTER TABLE "public"."item"
  ADD COLUMN "remodel_temporary_length" bigint,
  ADD COLUMN "remodel_temporary_code" text;
-- copy: compute columns "length", "code" for rows that are written to table "item"
CREATE TRIGGER "~remodel_fill" BEFORE INSERT OR UPDATE ON "public"."item"
  FOR EACH ROW EXECUTE FUNCTION "remodel_staging"."fill_item"();
-- copy: compute columns "length", "code" for rows that replication writes to table "item"
ALTER TABLE "public"."item" ENABLE ALWAYS TRIGGER "~remodel_fill";
-- copy: fill columns "length", "code" of table "item"
UPDATE "public"."item" AS "source"
  SET "remodel_temporary_length" = (CASE WHEN "source"."_entity" = 'Book' THEN "source"."book_length"::bigint WHEN "source"."_entity" = 'Film' THEN "source"."film_length" WHEN "source"."_entity" = 'Song' THEN NULL::bigint END), "remodel_temporary_code" = (CASE WHEN "source"."_entity" = 'Book' THEN "source"."book_code" WHEN "source"."_entity" = 'Film' THEN coalesce("source"."film_code", 'none') WHEN "source"."_entity" = 'Song' THEN 'none' END)
  WHERE ("source"."remodel_temporary_length" IS DISTINCT FROM ((CASE WHEN "source"."_entity" = 'Book' THEN "source"."book_length"::bigint WHEN "source"."_entity" = 'Film' THEN "source"."film_length" WHEN "source"."_entity" = 'Song' THEN NULL::bigint END))::bigint OR "source"."remodel_temporary_code" IS DISTINCT FROM ((CASE WHEN "source"."_entity" = 'Book' THEN "source"."book_code" WHEN "source"."_entity" = 'Film' THEN coalesce("source"."film_code", 'none') WHEN "source"."_entity" = 'Song' THEN 'none' END))::text);
-- copy: refuse nulls in the filled columns of table "item"
ALTER TABLE "public"."item" ADD CONSTRAINT "remodel_temporary_item_code_filled" CHECK ("remodel_temporary_code" IS NOT NULL) NOT VALID;
-- copy: validate constraint "remodel_temporary_item_code_filled" of table "item"
ALTER TABLE "public"."item" VALIDATE CONSTRAINT "remodel_temporary_item_code_filled";
-- switch: rename column "book_code" of table "item" to "code"
ALTER TABLE "public"."item" RENAME COLUMN "book_code" TO "code";
-- switch: rename column "book_length" of table "item" to "length"
ALTER TABLE "public"."item" RENAME COLUMN "book_length" TO "length";
-- switch: drop constraint "item_book_code_check" of table "item"
ALTER TABLE "public"."item" DROP CONSTRAINT "item_book_code_check";
-- switch: replace column "length" of table "item" by the filled one of type bigint
ALTER TABLE "public"."item" DROP COLUMN "length";
-- switch: replace column "length" of table "item" by the filled one of type bigint
ALTER TABLE "public"."item" RENAME COLUMN "remodel_temporary_length" TO "length";
-- switch: replace column "code" of table "item" by the filled one of type text
ALTER TABLE "public"."item" DROP COLUMN "code";
-- switch: replace column "code" of table "item" by the filled one of type text
ALTER TABLE "public"."item" RENAME COLUMN "remodel_temporary_code" TO "code";
-- switch: replace column "code" of table "item" by the filled one of type text
ALTER TABLE "public"."item" ALTER COLUMN "code" SET DEFAULT 'none', ALTER COLUMN "code" SET NOT NULL;
-- switch: replace column "code" of table "item" by the filled one of type text
ALTER TABLE "public"."item" DROP CONSTRAINT "remodel_temporary_item_code_filled";
