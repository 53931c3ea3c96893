-- copy: create schema "remodel_staging" for the functions of the triggers
CREATE SCHEMA "remodel_staging";
-- copy: create the function that computes columns "total_cost", "kind" of table "trade"
CREATE FUNCTION "remodel_staging"."fill_trade"() RETURNS trigger LANGUAGE plpgsql
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
  NEW."remodel_temporary_kind" := (CASE WHEN ("source"."amount" < 0) THEN 'sale' ELSE 'purchase' END);
  BEGIN
    NEW."remodel_temporary_total_cost" := abs("source"."amount")::numeric;
  EXCEPTION WHEN data_exception OR program_limit_exceeded THEN
    NEW."remodel_temporary_total_cost" := NULL;
  END;
  RETURN NEW;
END
$remodel$;
-- copy: keep others from calling the function that computes columns of table "trade"
REVOKE ALL ON FUNCTION "remodel_staging"."fill_trade"() FROM PUBLIC;
-- copy: create a list of the rows of table "trade" that have no value
CREATE TABLE "remodel_staging"."unfilled_trade" WITH (autovacuum_enabled = off)
  AS SELECT COALESCE(NULL::bigint, NULL) AS key WITH NO DATA;
-- copy: let rows leave the list of table "trade" where it is published
ALTER TABLE "remodel_staging"."unfilled_trade" REPLICA IDENTITY FULL;
-- copy: create the function that lists rows of table "trade" that have no value
CREATE FUNCTION "remodel_staging"."note_trade"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = pg_catalog, pg_temp AS $remodel$
BEGIN
  INSERT INTO "remodel_staging"."unfilled_trade" (key) VALUES (NEW."_id");
  RETURN NULL;
END
$remodel$;
-- copy: keep others from calling the function that lists rows of table "trade"
REVOKE ALL ON FUNCTION "remodel_staging"."note_trade"() FROM PUBLIC;
-- copy: add columns "total_cost", "kind" to table "trade" under other names
ALTER TABLE "public"."trade"
  ADD COLUMN "remodel_temporary_total_cost" numeric,
  ADD COLUMN "remodel_temporary_kind" text;
-- copy: compute columns "total_cost", "kind" for rows that are written to table "trade"
CREATE TRIGGER "~remodel_fill" BEFORE INSERT OR UPDATE ON "public"."trade"
  FOR EACH ROW EXECUTE FUNCTION "remodel_staging"."fill_trade"();
-- copy: compute columns "total_cost", "kind" for rows that replication writes to table "trade"
ALTER TABLE "public"."trade" ENABLE ALWAYS TRIGGER "~remodel_fill";
-- copy: list rows of table "trade" that are written and have no value
CREATE TRIGGER "~remodel_unfilled" AFTER INSERT OR UPDATE ON "public"."trade"
  FOR EACH ROW WHEN (NEW."remodel_temporary_total_cost" IS NULL) EXECUTE FUNCTION "remodel_staging"."note_trade"();
-- copy: list rows of table "trade" that replication writes and that have no value
ALTER TABLE "public"."trade" ENABLE ALWAYS TRIGGER "~remodel_unfilled";
-- copy: fill columns "total_cost", "kind" of table "trade"
UPDATE "public"."trade" AS "source"
  SET "remodel_temporary_total_cost" = abs("source"."amount")::numeric, "remodel_temporary_kind" = (CASE WHEN ("source"."amount" < 0) THEN 'sale' ELSE 'purchase' END)
  WHERE ("source"."remodel_temporary_total_cost" IS DISTINCT FROM (abs("source"."amount")::numeric)::numeric OR "source"."remodel_temporary_kind" IS DISTINCT FROM ((CASE WHEN ("source"."amount" < 0) THEN 'sale' ELSE 'purchase' END))::text);
-- copy: refuse nulls in the filled columns of table "trade"
ALTER TABLE "public"."trade" ADD CONSTRAINT "remodel_temporary_transaction_total_cost_filled" CHECK ("remodel_temporary_total_cost" IS NOT NULL) NOT VALID;
-- copy: validate constraint "remodel_temporary_transaction_total_cost_filled" of table "trade"
ALTER TABLE "public"."trade" VALIDATE CONSTRAINT "remodel_temporary_transaction_total_cost_filled";
-- copy: refuse nulls in the filled columns of table "trade"
ALTER TABLE "public"."trade" ADD CONSTRAINT "remodel_temporary_transaction_kind_filled" CHECK ("remodel_temporary_kind" IS NOT NULL) NOT VALID;
-- copy: validate constraint "remodel_temporary_transaction_kind_filled" of table "trade"
ALTER TABLE "public"."trade" VALIDATE CONSTRAINT "remodel_temporary_transaction_kind_filled";
-- switch: rename table "trade" to "transaction"
ALTER TABLE "public"."trade" RENAME TO "transaction";
-- switch: rename sequence "trade__id_seq" to "transaction__id_seq"
ALTER SEQUENCE "public"."trade__id_seq" RENAME TO "transaction__id_seq";
-- switch: rename constraint "trade_pkey" of table "transaction" to "transaction_pkey"
ALTER TABLE "public"."transaction" RENAME CONSTRAINT "trade_pkey" TO "transaction_pkey";
-- switch: rename constraint "trade_account_fkey" of table "transaction" to "transaction_account_fkey"
ALTER TABLE "public"."transaction" RENAME CONSTRAINT "trade_account_fkey" TO "transaction_account_fkey";
-- switch: rename index "trade_account_idx" to "transaction_account_idx"
ALTER INDEX "public"."trade_account_idx" RENAME TO "transaction_account_idx";
-- switch: retain column "amount" of table "transaction"
ALTER TABLE "public"."transaction" ALTER COLUMN "amount" DROP NOT NULL;
-- switch: add filled column "total_cost" to table "transaction"
ALTER TABLE "public"."transaction" RENAME COLUMN "remodel_temporary_total_cost" TO "total_cost";
-- switch: add filled column "total_cost" to table "transaction"
ALTER TABLE "public"."transaction" ALTER COLUMN "total_cost" SET NOT NULL;
-- switch: add filled column "total_cost" to table "transaction"
ALTER TABLE "public"."transaction" DROP CONSTRAINT "remodel_temporary_transaction_total_cost_filled";
-- switch: add filled column "kind" to table "transaction"
ALTER TABLE "public"."transaction" RENAME COLUMN "remodel_temporary_kind" TO "kind";
-- switch: add filled column "kind" to table "transaction"
ALTER TABLE "public"."transaction" ALTER COLUMN "kind" SET NOT NULL;
-- switch: add filled column "kind" to table "transaction"
ALTER TABLE "public"."transaction" DROP CONSTRAINT "remodel_temporary_transaction_kind_filled";
