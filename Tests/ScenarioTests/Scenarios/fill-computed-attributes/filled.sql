-- copy: create schema "remodel_staging" for the functions of the triggers
CREATE SCHEMA "remodel_staging";
-- copy: create the function that computes columns "label", "company_is_large" of table "party"
CREATE FUNCTION "remodel_staging"."fill_party"() RETURNS trigger LANGUAGE plpgsql
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
  NEW."remodel_temporary_label" := (CASE WHEN "source"."_entity" = 'Person' THEN lower("source"."person_first") WHEN "source"."_entity" = 'Company' THEN upper("source"."company_title") END);
  NEW."remodel_temporary_company_is_large" := (CASE WHEN "source"."_entity" = 'Person' THEN NULL::boolean WHEN "source"."_entity" = 'Company' THEN (CASE WHEN ("source"."company_seats" > 100) THEN true ELSE false END) END);
  RETURN NEW;
END
$remodel$;
-- copy: keep others from calling the function that computes columns of table "party"
REVOKE ALL ON FUNCTION "remodel_staging"."fill_party"() FROM PUBLIC;
-- copy: create the function that computes columns "total", "share" of table "sale"
CREATE FUNCTION "remodel_staging"."fill_sale"() RETURNS trigger LANGUAGE plpgsql
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
    NEW."remodel_temporary_total" := ("source"."price"::numeric * "source"."quantity"::numeric);
  EXCEPTION WHEN data_exception OR program_limit_exceeded THEN
    NEW."remodel_temporary_total" := NULL;
  END;
  BEGIN
    NEW."remodel_temporary_share" := (CASE WHEN ("source"."discount" > 0) THEN (1.0 / "source"."discount"::numeric)::double precision ELSE 0.0::double precision END);
  EXCEPTION WHEN data_exception OR program_limit_exceeded THEN
    NEW."remodel_temporary_share" := NULL;
  END;
  RETURN NEW;
END
$remodel$;
-- copy: keep others from calling the function that computes columns of table "sale"
REVOKE ALL ON FUNCTION "remodel_staging"."fill_sale"() FROM PUBLIC;
-- copy: create a list of the rows of table "sale" that have no value
CREATE TABLE "remodel_staging"."unfilled_sale" WITH (autovacuum_enabled = off)
  AS SELECT COALESCE(NULL::bigint, NULL) AS key WITH NO DATA;
-- copy: let rows leave the list of table "sale" where it is published
ALTER TABLE "remodel_staging"."unfilled_sale" REPLICA IDENTITY FULL;
-- copy: create the function that lists rows of table "sale" that have no value
CREATE FUNCTION "remodel_staging"."note_sale"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = pg_catalog, pg_temp AS $remodel$
BEGIN
  INSERT INTO "remodel_staging"."unfilled_sale" (key) VALUES (NEW."_id");
  RETURN NULL;
END
$remodel$;
-- copy: keep others from calling the function that lists rows of table "sale"
REVOKE ALL ON FUNCTION "remodel_staging"."note_sale"() FROM PUBLIC;
-- copy: add columns "label", "company_is_large" to table "party" under other names
ALTER TABLE "public"."party"
  ADD COLUMN "remodel_temporary_label" text,
  ADD COLUMN "remodel_temporary_company_is_large" boolean;
-- copy: compute columns "label", "company_is_large" for rows that are written to table "party"
CREATE TRIGGER "~remodel_fill" BEFORE INSERT OR UPDATE ON "public"."party"
  FOR EACH ROW EXECUTE FUNCTION "remodel_staging"."fill_party"();
-- copy: compute columns "label", "company_is_large" for rows that replication writes to table "party"
ALTER TABLE "public"."party" ENABLE ALWAYS TRIGGER "~remodel_fill";
-- copy: add columns "total", "share" to table "sale" under other names
ALTER TABLE "public"."sale"
  ADD COLUMN "remodel_temporary_total" numeric,
  ADD COLUMN "remodel_temporary_share" double precision;
-- copy: compute columns "total", "share" for rows that are written to table "sale"
CREATE TRIGGER "~remodel_fill" BEFORE INSERT OR UPDATE ON "public"."sale"
  FOR EACH ROW EXECUTE FUNCTION "remodel_staging"."fill_sale"();
-- copy: compute columns "total", "share" for rows that replication writes to table "sale"
ALTER TABLE "public"."sale" ENABLE ALWAYS TRIGGER "~remodel_fill";
-- copy: list rows of table "sale" that are written and have no value
CREATE TRIGGER "~remodel_unfilled" AFTER INSERT OR UPDATE ON "public"."sale"
  FOR EACH ROW WHEN (NEW."remodel_temporary_total" IS NULL OR NEW."remodel_temporary_share" IS NULL) EXECUTE FUNCTION "remodel_staging"."note_sale"();
-- copy: list rows of table "sale" that replication writes and that have no value
ALTER TABLE "public"."sale" ENABLE ALWAYS TRIGGER "~remodel_unfilled";
-- copy: fill columns "label", "company_is_large" of table "party"
UPDATE "public"."party" AS "source"
  SET "remodel_temporary_label" = (CASE WHEN "source"."_entity" = 'Person' THEN lower("source"."person_first") WHEN "source"."_entity" = 'Company' THEN upper("source"."company_title") END), "remodel_temporary_company_is_large" = (CASE WHEN "source"."_entity" = 'Person' THEN NULL::boolean WHEN "source"."_entity" = 'Company' THEN (CASE WHEN ("source"."company_seats" > 100) THEN true ELSE false END) END)
  WHERE ("source"."remodel_temporary_label" IS DISTINCT FROM ((CASE WHEN "source"."_entity" = 'Person' THEN lower("source"."person_first") WHEN "source"."_entity" = 'Company' THEN upper("source"."company_title") END))::text OR "source"."remodel_temporary_company_is_large" IS DISTINCT FROM ((CASE WHEN "source"."_entity" = 'Person' THEN NULL::boolean WHEN "source"."_entity" = 'Company' THEN (CASE WHEN ("source"."company_seats" > 100) THEN true ELSE false END) END))::boolean);
-- copy: fill columns "total", "share" of table "sale"
UPDATE "public"."sale" AS "source"
  SET "remodel_temporary_total" = ("source"."price"::numeric * "source"."quantity"::numeric), "remodel_temporary_share" = (CASE WHEN ("source"."discount" > 0) THEN (1.0 / "source"."discount"::numeric)::double precision ELSE 0.0::double precision END)
  WHERE ("source"."remodel_temporary_total" IS DISTINCT FROM (("source"."price"::numeric * "source"."quantity"::numeric))::numeric OR "source"."remodel_temporary_share" IS DISTINCT FROM ((CASE WHEN ("source"."discount" > 0) THEN (1.0 / "source"."discount"::numeric)::double precision ELSE 0.0::double precision END))::double precision);
-- copy: refuse nulls in the filled columns of table "party"
ALTER TABLE "public"."party" ADD CONSTRAINT "remodel_temporary_party_label_filled" CHECK ("remodel_temporary_label" IS NOT NULL) NOT VALID;
-- copy: validate constraint "remodel_temporary_party_label_filled" of table "party"
ALTER TABLE "public"."party" VALIDATE CONSTRAINT "remodel_temporary_party_label_filled";
-- switch: add filled column "label" to table "party"
ALTER TABLE "public"."party" RENAME COLUMN "remodel_temporary_label" TO "label";
-- switch: add filled column "label" to table "party"
ALTER TABLE "public"."party" ALTER COLUMN "label" SET NOT NULL;
-- switch: add filled column "label" to table "party"
ALTER TABLE "public"."party" DROP CONSTRAINT "remodel_temporary_party_label_filled";
-- switch: add filled column "company_is_large" to table "party"
ALTER TABLE "public"."party" RENAME COLUMN "remodel_temporary_company_is_large" TO "company_is_large";
-- switch: add constraint "party_company_is_large_check" to table "party"
ALTER TABLE "public"."party" ADD CONSTRAINT "party_company_is_large_check" CHECK ("_entity" <> 'Company' OR "company_is_large" IS NOT NULL) NOT VALID;
-- switch: add filled column "total" to table "sale"
ALTER TABLE "public"."sale" RENAME COLUMN "remodel_temporary_total" TO "total";
-- switch: add filled column "share" to table "sale"
ALTER TABLE "public"."sale" RENAME COLUMN "remodel_temporary_share" TO "share";
-- deferred: validate constraint "party_company_is_large_check" of table "party"
ALTER TABLE "public"."party" VALIDATE CONSTRAINT "party_company_is_large_check";
-- deferred: create index "sale_total_idx" on table "sale"
CREATE INDEX CONCURRENTLY "sale_total_idx" ON "public"."sale" ("total");
