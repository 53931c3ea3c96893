-- copy: create schema "remodel_staging" for the functions of the triggers
CREATE SCHEMA "remodel_staging";
-- copy: create the function that computes columns "temperature", "is_freezing" of table "reading"
CREATE FUNCTION "remodel_staging"."fill_reading"() RETURNS trigger LANGUAGE plpgsql
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
  NEW."remodel_temporary_is_freezing" := (CASE WHEN ("source"."temperature" < 32) THEN true ELSE false END);
  BEGIN
    NEW."remodel_temporary_temperature" := (("source"."temperature" - 32.0::double precision) / 1.8::double precision);
  EXCEPTION WHEN data_exception OR program_limit_exceeded THEN
    NEW."remodel_temporary_temperature" := NULL;
  END;
  RETURN NEW;
END
$remodel$;
-- copy: keep others from calling the function that computes columns of table "reading"
REVOKE ALL ON FUNCTION "remodel_staging"."fill_reading"() FROM PUBLIC;
-- copy: create a list of the rows of table "reading" that have no value
CREATE TABLE "remodel_staging"."unfilled_reading" WITH (autovacuum_enabled = off)
  AS SELECT COALESCE(NULL::bigint, NULL) AS key WITH NO DATA;
-- copy: let rows leave the list of table "reading" where it is published
ALTER TABLE "remodel_staging"."unfilled_reading" REPLICA IDENTITY FULL;
-- copy: create the function that lists rows of table "reading" that have no value
CREATE FUNCTION "remodel_staging"."note_reading"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = pg_catalog, pg_temp AS $remodel$
BEGIN
  INSERT INTO "remodel_staging"."unfilled_reading" (key) VALUES (NEW."_id");
  RETURN NULL;
END
$remodel$;
-- copy: keep others from calling the function that lists rows of table "reading"
REVOKE ALL ON FUNCTION "remodel_staging"."note_reading"() FROM PUBLIC;
-- copy: add columns "temperature", "is_freezing" to table "reading" under other names
ALTER TABLE "public"."reading"
  ADD COLUMN "remodel_temporary_temperature" double precision,
  ADD COLUMN "remodel_temporary_is_freezing" boolean;
-- copy: compute columns "temperature", "is_freezing" for rows that are written to table "reading"
CREATE TRIGGER "~remodel_fill" BEFORE INSERT OR UPDATE ON "public"."reading"
  FOR EACH ROW EXECUTE FUNCTION "remodel_staging"."fill_reading"();
-- copy: compute columns "temperature", "is_freezing" for rows that replication writes to table "reading"
ALTER TABLE "public"."reading" ENABLE ALWAYS TRIGGER "~remodel_fill";
-- copy: list rows of table "reading" that are written and have no value
CREATE TRIGGER "~remodel_unfilled" AFTER INSERT OR UPDATE ON "public"."reading"
  FOR EACH ROW WHEN (NEW."remodel_temporary_temperature" IS NULL) EXECUTE FUNCTION "remodel_staging"."note_reading"();
-- copy: list rows of table "reading" that replication writes and that have no value
ALTER TABLE "public"."reading" ENABLE ALWAYS TRIGGER "~remodel_unfilled";
-- copy: fill columns "temperature", "is_freezing" of table "reading"
UPDATE "public"."reading" AS "source"
  SET "remodel_temporary_temperature" = (("source"."temperature" - 32.0::double precision) / 1.8::double precision), "remodel_temporary_is_freezing" = (CASE WHEN ("source"."temperature" < 32) THEN true ELSE false END)
  WHERE ("source"."remodel_temporary_temperature" IS DISTINCT FROM ((("source"."temperature" - 32.0::double precision) / 1.8::double precision))::double precision OR "source"."remodel_temporary_is_freezing" IS DISTINCT FROM ((CASE WHEN ("source"."temperature" < 32) THEN true ELSE false END))::boolean);
-- copy: refuse nulls in the filled columns of table "reading"
ALTER TABLE "public"."reading" ADD CONSTRAINT "remodel_temporary_reading_is_freezing_filled" CHECK ("remodel_temporary_is_freezing" IS NOT NULL) NOT VALID;
-- copy: validate constraint "remodel_temporary_reading_is_freezing_filled" of table "reading"
ALTER TABLE "public"."reading" VALIDATE CONSTRAINT "remodel_temporary_reading_is_freezing_filled";
-- switch: rename column "temperature" of table "reading" to "remodel_retained_before_temperature"
ALTER TABLE "public"."reading" RENAME COLUMN "temperature" TO "remodel_retained_before_temperature";
-- switch: add filled column "temperature" to table "reading"
ALTER TABLE "public"."reading" RENAME COLUMN "remodel_temporary_temperature" TO "temperature";
-- switch: add filled column "is_freezing" to table "reading"
ALTER TABLE "public"."reading" RENAME COLUMN "remodel_temporary_is_freezing" TO "is_freezing";
-- switch: add filled column "is_freezing" to table "reading"
ALTER TABLE "public"."reading" ALTER COLUMN "is_freezing" SET NOT NULL;
-- switch: add filled column "is_freezing" to table "reading"
ALTER TABLE "public"."reading" DROP CONSTRAINT "remodel_temporary_reading_is_freezing_filled";
