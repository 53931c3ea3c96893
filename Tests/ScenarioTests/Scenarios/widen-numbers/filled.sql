-- copy: create schema "remodel_staging" for the functions of the triggers
CREATE SCHEMA "remodel_staging";
-- copy: create the function that computes columns "count", "value", "amount", "flag" of table "reading"
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
  NEW."remodel_temporary_count" := "source"."count"::bigint;
  NEW."remodel_temporary_value" := "source"."value"::double precision;
  NEW."remodel_temporary_amount" := "source"."amount"::numeric;
  NEW."remodel_temporary_flag" := "source"."flag"::integer::smallint;
  RETURN NEW;
END
$remodel$;
-- copy: keep others from calling the function that computes columns of table "reading"
REVOKE ALL ON FUNCTION "remodel_staging"."fill_reading"() FROM PUBLIC;
-- copy: add columns "count", "value", "amount", "flag" to table "reading" under other names
ALTER TABLE "public"."reading"
  ADD COLUMN "remodel_temporary_count" bigint,
  ADD COLUMN "remodel_temporary_value" double precision,
  ADD COLUMN "remodel_temporary_amount" numeric,
  ADD COLUMN "remodel_temporary_flag" smallint;
-- copy: compute columns "count", "value", "amount", "flag" for rows that are written to table "reading"
CREATE TRIGGER "~remodel_fill" BEFORE INSERT OR UPDATE ON "public"."reading"
  FOR EACH ROW EXECUTE FUNCTION "remodel_staging"."fill_reading"();
-- copy: compute columns "count", "value", "amount", "flag" for rows that replication writes to table "reading"
ALTER TABLE "public"."reading" ENABLE ALWAYS TRIGGER "~remodel_fill";
-- copy: fill columns "count", "value", "amount", "flag" of table "reading"
UPDATE "public"."reading" AS "source"
  SET "remodel_temporary_count" = "source"."count"::bigint, "remodel_temporary_value" = "source"."value"::double precision, "remodel_temporary_amount" = "source"."amount"::numeric, "remodel_temporary_flag" = "source"."flag"::integer::smallint
  WHERE ("source"."remodel_temporary_count" IS DISTINCT FROM ("source"."count"::bigint)::bigint OR "source"."remodel_temporary_value" IS DISTINCT FROM ("source"."value"::double precision)::double precision OR "source"."remodel_temporary_amount" IS DISTINCT FROM ("source"."amount"::numeric)::numeric OR "source"."remodel_temporary_flag" IS DISTINCT FROM ("source"."flag"::integer::smallint)::smallint);
-- copy: refuse nulls in the filled columns of table "reading"
ALTER TABLE "public"."reading" ADD CONSTRAINT "remodel_temporary_reading_count_filled" CHECK ("remodel_temporary_count" IS NOT NULL) NOT VALID;
-- copy: validate constraint "remodel_temporary_reading_count_filled" of table "reading"
ALTER TABLE "public"."reading" VALIDATE CONSTRAINT "remodel_temporary_reading_count_filled";
-- copy: refuse nulls in the filled columns of table "reading"
ALTER TABLE "public"."reading" ADD CONSTRAINT "remodel_temporary_reading_amount_filled" CHECK ("remodel_temporary_amount" IS NOT NULL) NOT VALID;
-- copy: validate constraint "remodel_temporary_reading_amount_filled" of table "reading"
ALTER TABLE "public"."reading" VALIDATE CONSTRAINT "remodel_temporary_reading_amount_filled";
-- copy: refuse nulls in the filled columns of table "reading"
ALTER TABLE "public"."reading" ADD CONSTRAINT "remodel_temporary_reading_flag_filled" CHECK ("remodel_temporary_flag" IS NOT NULL) NOT VALID;
-- copy: validate constraint "remodel_temporary_reading_flag_filled" of table "reading"
ALTER TABLE "public"."reading" VALIDATE CONSTRAINT "remodel_temporary_reading_flag_filled";
-- switch: change type of column "code" of table "reading" from character varying(10) to text
ALTER TABLE "public"."reading" ALTER COLUMN "code" TYPE text USING "code"::text;
-- switch: replace column "count" of table "reading" by the filled one of type bigint
ALTER TABLE "public"."reading" DROP COLUMN "count";
-- switch: replace column "count" of table "reading" by the filled one of type bigint
ALTER TABLE "public"."reading" RENAME COLUMN "remodel_temporary_count" TO "count";
-- switch: replace column "count" of table "reading" by the filled one of type bigint
ALTER TABLE "public"."reading" ALTER COLUMN "count" SET DEFAULT 3, ALTER COLUMN "count" SET NOT NULL;
-- switch: replace column "count" of table "reading" by the filled one of type bigint
ALTER TABLE "public"."reading" DROP CONSTRAINT "remodel_temporary_reading_count_filled";
-- switch: replace column "value" of table "reading" by the filled one of type double precision
ALTER TABLE "public"."reading" DROP COLUMN "value";
-- switch: replace column "value" of table "reading" by the filled one of type double precision
ALTER TABLE "public"."reading" RENAME COLUMN "remodel_temporary_value" TO "value";
-- switch: replace column "amount" of table "reading" by the filled one of type numeric
ALTER TABLE "public"."reading" DROP COLUMN "amount";
-- switch: replace column "amount" of table "reading" by the filled one of type numeric
ALTER TABLE "public"."reading" RENAME COLUMN "remodel_temporary_amount" TO "amount";
-- switch: replace column "amount" of table "reading" by the filled one of type numeric
ALTER TABLE "public"."reading" ALTER COLUMN "amount" SET NOT NULL;
-- switch: replace column "amount" of table "reading" by the filled one of type numeric
ALTER TABLE "public"."reading" DROP CONSTRAINT "remodel_temporary_reading_amount_filled";
-- switch: replace column "flag" of table "reading" by the filled one of type smallint
ALTER TABLE "public"."reading" DROP COLUMN "flag";
-- switch: replace column "flag" of table "reading" by the filled one of type smallint
ALTER TABLE "public"."reading" RENAME COLUMN "remodel_temporary_flag" TO "flag";
-- switch: replace column "flag" of table "reading" by the filled one of type smallint
ALTER TABLE "public"."reading" ALTER COLUMN "flag" SET NOT NULL;
-- switch: replace column "flag" of table "reading" by the filled one of type smallint
ALTER TABLE "public"."reading" DROP CONSTRAINT "remodel_temporary_reading_flag_filled";
