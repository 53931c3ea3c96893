-- copy: create schema "remodel_staging" for the functions of the triggers
CREATE SCHEMA "remodel_staging";
-- copy: create the function that computes column "book_pages" of table "item"
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
  BEGIN
    NEW."remodel_temporary_book_pages" := (CASE WHEN "source"."_entity" = 'Book' THEN trunc(substring(nullif(btrim("source"."book_pages", ' 	
'), ''::text), '^\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)\s*$')::numeric::numeric)::integer WHEN "source"."_entity" = 'Film' THEN NULL::integer END);
  EXCEPTION WHEN data_exception OR program_limit_exceeded THEN
    NEW."remodel_temporary_book_pages" := NULL;
  END;
  RETURN NEW;
END
$remodel$;
-- copy: keep others from calling the function that computes columns of table "item"
REVOKE ALL ON FUNCTION "remodel_staging"."fill_item"() FROM PUBLIC;
-- copy: create a list of the rows of table "item" that have no value
CREATE TABLE "remodel_staging"."unfilled_item" WITH (autovacuum_enabled = off)
  AS SELECT COALESCE(NULL::bigint, NULL) AS key WITH NO DATA;
-- copy: let rows leave the list of table "item" where it is published
ALTER TABLE "remodel_staging"."unfilled_item" REPLICA IDENTITY FULL;
-- copy: create the function that lists rows of table "item" that have no value
CREATE FUNCTION "remodel_staging"."note_item"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = pg_catalog, pg_temp AS $remodel$
BEGIN
  INSERT INTO "remodel_staging"."unfilled_item" (key) VALUES (NEW."_id");
  RETURN NULL;
END
$remodel$;
-- copy: keep others from calling the function that lists rows of table "item"
REVOKE ALL ON FUNCTION "remodel_staging"."note_item"() FROM PUBLIC;
-- copy: add column "book_pages" to table "item" under other names
ALTER TABLE "public"."item"
  ADD COLUMN "remodel_temporary_book_pages" integer;
-- copy: compute column "book_pages" for rows that are written to table "item"
CREATE TRIGGER "~remodel_fill" BEFORE INSERT OR UPDATE ON "public"."item"
  FOR EACH ROW EXECUTE FUNCTION "remodel_staging"."fill_item"();
-- copy: compute column "book_pages" for rows that replication writes to table "item"
ALTER TABLE "public"."item" ENABLE ALWAYS TRIGGER "~remodel_fill";
-- copy: list rows of table "item" that are written and have no value
CREATE TRIGGER "~remodel_unfilled" AFTER INSERT OR UPDATE ON "public"."item"
  FOR EACH ROW WHEN (NEW."remodel_temporary_book_pages" IS NULL) EXECUTE FUNCTION "remodel_staging"."note_item"();
-- copy: list rows of table "item" that replication writes and that have no value
ALTER TABLE "public"."item" ENABLE ALWAYS TRIGGER "~remodel_unfilled";
-- copy: fill column "book_pages" of table "item"
UPDATE "public"."item" AS "source"
  SET "remodel_temporary_book_pages" = (CASE WHEN "source"."_entity" = 'Book' THEN trunc(substring(nullif(btrim("source"."book_pages", ' 	
'), ''::text), '^\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)\s*$')::numeric::numeric)::integer WHEN "source"."_entity" = 'Film' THEN NULL::integer END)
  WHERE ("source"."remodel_temporary_book_pages" IS DISTINCT FROM ((CASE WHEN "source"."_entity" = 'Book' THEN trunc(substring(nullif(btrim("source"."book_pages", ' 	
'), ''::text), '^\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)\s*$')::numeric::numeric)::integer WHEN "source"."_entity" = 'Film' THEN NULL::integer END))::integer);
-- switch: rename column "book_pages" of table "item" to "remodel_retained_before_book_pages"
ALTER TABLE "public"."item" RENAME COLUMN "book_pages" TO "remodel_retained_before_book_pages";
-- switch: drop constraint "item_book_pages_check" of table "item"
ALTER TABLE "public"."item" DROP CONSTRAINT "item_book_pages_check";
-- switch: add filled column "book_pages" to table "item"
ALTER TABLE "public"."item" RENAME COLUMN "remodel_temporary_book_pages" TO "book_pages";
