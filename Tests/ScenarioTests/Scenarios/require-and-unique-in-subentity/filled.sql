-- copy: create schema "remodel_staging" for the functions of the triggers
CREATE SCHEMA "remodel_staging";
-- copy: create the function that computes column "book_isbn" of table "item"
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
  NEW."remodel_temporary_book_isbn" := (CASE WHEN "source"."_entity" = 'Book' THEN coalesce("source"."book_isbn", 'none') WHEN "source"."_entity" = 'Film' THEN NULL::text END);
  RETURN NEW;
END
$remodel$;
-- copy: keep others from calling the function that computes columns of table "item"
REVOKE ALL ON FUNCTION "remodel_staging"."fill_item"() FROM PUBLIC;
-- copy: add column "book_isbn" to table "item" under other names
ALTER TABLE "public"."item"
  ADD COLUMN "remodel_temporary_book_isbn" text;
-- copy: compute column "book_isbn" for rows that are written to table "item"
CREATE TRIGGER "~remodel_fill" BEFORE INSERT OR UPDATE ON "public"."item"
  FOR EACH ROW EXECUTE FUNCTION "remodel_staging"."fill_item"();
-- copy: compute column "book_isbn" for rows that replication writes to table "item"
ALTER TABLE "public"."item" ENABLE ALWAYS TRIGGER "~remodel_fill";
-- copy: fill column "book_isbn" of table "item"
UPDATE "public"."item" AS "source"
  SET "remodel_temporary_book_isbn" = (CASE WHEN "source"."_entity" = 'Book' THEN coalesce("source"."book_isbn", 'none') WHEN "source"."_entity" = 'Film' THEN NULL::text END)
  WHERE ("source"."remodel_temporary_book_isbn" IS DISTINCT FROM ((CASE WHEN "source"."_entity" = 'Book' THEN coalesce("source"."book_isbn", 'none') WHEN "source"."_entity" = 'Film' THEN NULL::text END))::text);
-- switch: add constraint "item_film_minutes_check" to table "item"
ALTER TABLE "public"."item" ADD CONSTRAINT "item_film_minutes_check" CHECK ("_entity" <> 'Film' OR "film_minutes" IS NOT NULL) NOT VALID;
-- switch: replace column "book_isbn" of table "item" by the filled one of type text
ALTER TABLE "public"."item" DROP COLUMN "book_isbn";
-- switch: replace column "book_isbn" of table "item" by the filled one of type text
ALTER TABLE "public"."item" RENAME COLUMN "remodel_temporary_book_isbn" TO "book_isbn";
-- switch: add constraint "item_book_isbn_check" to table "item"
ALTER TABLE "public"."item" ADD CONSTRAINT "item_book_isbn_check" CHECK ("_entity" <> 'Book' OR "book_isbn" IS NOT NULL) NOT VALID;
-- now: create index "item_book_isbn_title_idx" on table "item"
CREATE UNIQUE INDEX CONCURRENTLY "item_book_isbn_title_idx" ON "public"."item" ("book_isbn", "title") WHERE "_entity" IN ('Book');
-- deferred: validate constraint "item_book_isbn_check" of table "item"
ALTER TABLE "public"."item" VALIDATE CONSTRAINT "item_book_isbn_check";
-- deferred: validate constraint "item_film_minutes_check" of table "item"
ALTER TABLE "public"."item" VALIDATE CONSTRAINT "item_film_minutes_check";
