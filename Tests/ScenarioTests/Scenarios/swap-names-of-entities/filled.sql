-- copy: create schema "remodel_staging" for the functions of the triggers
CREATE SCHEMA "remodel_staging";
-- copy: create the function that computes column "size" of table "left"
CREATE FUNCTION "remodel_staging"."fill_left"() RETURNS trigger LANGUAGE plpgsql
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
  NEW."remodel_temporary_size" := "source"."size"::integer;
  RETURN NEW;
END
$remodel$;
-- copy: keep others from calling the function that computes columns of table "left"
REVOKE ALL ON FUNCTION "remodel_staging"."fill_left"() FROM PUBLIC;
-- copy: add column "size" to table "left" under other names
ALTER TABLE "public"."left"
  ADD COLUMN "remodel_temporary_size" integer;
-- copy: compute column "size" for rows that are written to table "left"
CREATE TRIGGER "~remodel_fill" BEFORE INSERT OR UPDATE ON "public"."left"
  FOR EACH ROW EXECUTE FUNCTION "remodel_staging"."fill_left"();
-- copy: compute column "size" for rows that replication writes to table "left"
ALTER TABLE "public"."left" ENABLE ALWAYS TRIGGER "~remodel_fill";
-- copy: fill column "size" of table "left"
UPDATE "public"."left" AS "source"
  SET "remodel_temporary_size" = "source"."size"::integer
  WHERE ("source"."remodel_temporary_size" IS DISTINCT FROM ("source"."size"::integer)::integer);
-- copy: refuse nulls in the filled columns of table "left"
ALTER TABLE "public"."left" ADD CONSTRAINT "remodel_temporary_right_size_filled" CHECK ("remodel_temporary_size" IS NOT NULL) NOT VALID;
-- copy: validate constraint "remodel_temporary_right_size_filled" of table "left"
ALTER TABLE "public"."left" VALIDATE CONSTRAINT "remodel_temporary_right_size_filled";
-- switch: rename table "left" to "remodel_temporary_left"
ALTER TABLE "public"."left" RENAME TO "remodel_temporary_left";
-- switch: rename table "right" to "left"
ALTER TABLE "public"."right" RENAME TO "left";
-- switch: rename table "remodel_temporary_left" to "right"
ALTER TABLE "public"."remodel_temporary_left" RENAME TO "right";
-- switch: rename sequence "right__id_seq" to "remodel_temporary_right__id_seq"
ALTER SEQUENCE "public"."right__id_seq" RENAME TO "remodel_temporary_right__id_seq";
-- switch: rename constraint "right_pkey" of table "left" to "remodel_temporary_right_pkey"
ALTER TABLE "public"."left" RENAME CONSTRAINT "right_pkey" TO "remodel_temporary_right_pkey";
-- switch: rename constraint "right_other_fkey" of table "left" to "left_other_fkey"
ALTER TABLE "public"."left" RENAME CONSTRAINT "right_other_fkey" TO "left_other_fkey";
-- switch: rename index "right_size_idx" to "left_size_idx"
ALTER INDEX "public"."right_size_idx" RENAME TO "left_size_idx";
-- switch: rename index "right_other_idx" to "left_other_idx"
ALTER INDEX "public"."right_other_idx" RENAME TO "left_other_idx";
-- switch: rename sequence "left__id_seq" to "right__id_seq"
ALTER SEQUENCE "public"."left__id_seq" RENAME TO "right__id_seq";
-- switch: rename sequence "remodel_temporary_right__id_seq" to "left__id_seq"
ALTER SEQUENCE "public"."remodel_temporary_right__id_seq" RENAME TO "left__id_seq";
-- switch: rename constraint "left_pkey" of table "right" to "right_pkey"
ALTER TABLE "public"."right" RENAME CONSTRAINT "left_pkey" TO "right_pkey";
-- switch: rename constraint "remodel_temporary_right_pkey" of table "left" to "left_pkey"
ALTER TABLE "public"."left" RENAME CONSTRAINT "remodel_temporary_right_pkey" TO "left_pkey";
-- switch: rename constraint "left_name_key" of table "right" to "right_name_key"
ALTER TABLE "public"."right" RENAME CONSTRAINT "left_name_key" TO "right_name_key";
-- switch: replace column "size" of table "right" by the filled one of type integer
ALTER TABLE "public"."right" DROP COLUMN "size";
-- switch: replace column "size" of table "right" by the filled one of type integer
ALTER TABLE "public"."right" RENAME COLUMN "remodel_temporary_size" TO "size";
-- switch: replace column "size" of table "right" by the filled one of type integer
ALTER TABLE "public"."right" ALTER COLUMN "size" SET DEFAULT 2, ALTER COLUMN "size" SET NOT NULL;
-- switch: replace column "size" of table "right" by the filled one of type integer
ALTER TABLE "public"."right" DROP CONSTRAINT "remodel_temporary_right_size_filled";
