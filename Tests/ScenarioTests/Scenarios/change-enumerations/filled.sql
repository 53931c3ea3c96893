-- copy: create schema "remodel_staging" for the functions of the triggers
CREATE SCHEMA "remodel_staging";
-- copy: create the function that computes column "channel" of table "order"
CREATE FUNCTION "remodel_staging"."fill_order"() RETURNS trigger LANGUAGE plpgsql
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
  NEW."remodel_temporary_channel" := "source"."channel"::character varying(8);
  RETURN NEW;
END
$remodel$;
-- copy: keep others from calling the function that computes columns of table "order"
REVOKE ALL ON FUNCTION "remodel_staging"."fill_order"() FROM PUBLIC;
-- copy: add column "channel" to table "order" under other names
ALTER TABLE "public"."order"
  ADD COLUMN "remodel_temporary_channel" character varying(8);
-- copy: compute column "channel" for rows that are written to table "order"
CREATE TRIGGER "~remodel_fill" BEFORE INSERT OR UPDATE ON "public"."order"
  FOR EACH ROW EXECUTE FUNCTION "remodel_staging"."fill_order"();
-- copy: compute column "channel" for rows that replication writes to table "order"
ALTER TABLE "public"."order" ENABLE ALWAYS TRIGGER "~remodel_fill";
-- copy: fill column "channel" of table "order"
UPDATE "public"."order" AS "source"
  SET "remodel_temporary_channel" = "source"."channel"::character varying(8)
  WHERE ("source"."remodel_temporary_channel" IS DISTINCT FROM ("source"."channel"::character varying(8))::character varying(8));
-- copy: refuse nulls in the filled columns of table "order"
ALTER TABLE "public"."order" ADD CONSTRAINT "remodel_temporary_order_channel_filled" CHECK ("remodel_temporary_channel" IS NOT NULL) NOT VALID;
-- copy: validate constraint "remodel_temporary_order_channel_filled" of table "order"
ALTER TABLE "public"."order" VALIDATE CONSTRAINT "remodel_temporary_order_channel_filled";
-- switch: set default of column "state" of table "order"; set default of column "priority" of table "order"; set default of column "country" of table "order"; change type of column "code" of table "order" from character varying(4) to text; drop constraint "order_channel_check" of table "order"; drop constraint "order_priority_check" of table "order"; drop constraint "order_state_check" of table "order"; add constraint "order_code_check" to table "order"; add constraint "order_country_check" to table "order"; add constraint "order_priority_check" to table "order"; add constraint "order_state_check" to table "order"
ALTER TABLE "public"."order"
  ALTER COLUMN "state" SET DEFAULT 'sent',
  ALTER COLUMN "priority" SET DEFAULT 'low',
  ALTER COLUMN "country" SET DEFAULT 'DE',
  ALTER COLUMN "code" TYPE text USING "code"::text,
  DROP CONSTRAINT "order_channel_check",
  DROP CONSTRAINT "order_priority_check",
  DROP CONSTRAINT "order_state_check",
  ADD CONSTRAINT "order_code_check" CHECK ("code" IN ('a', 'it''s')) NOT VALID,
  ADD CONSTRAINT "order_country_check" CHECK ("country" IN ('CH', 'DE')) NOT VALID,
  ADD CONSTRAINT "order_priority_check" CHECK ("priority" IN ('low', 'high')) NOT VALID,
  ADD CONSTRAINT "order_state_check" CHECK ("state" IN ('open', 'paid', 'sent')) NOT VALID;
-- switch: replace column "channel" of table "order" by the filled one of type character varying(8)
ALTER TABLE "public"."order" DROP COLUMN "channel";
-- switch: replace column "channel" of table "order" by the filled one of type character varying(8)
ALTER TABLE "public"."order" RENAME COLUMN "remodel_temporary_channel" TO "channel";
-- switch: replace column "channel" of table "order" by the filled one of type character varying(8)
ALTER TABLE "public"."order" ALTER COLUMN "channel" SET DEFAULT 'web', ALTER COLUMN "channel" SET NOT NULL;
-- switch: replace column "channel" of table "order" by the filled one of type character varying(8)
ALTER TABLE "public"."order" DROP CONSTRAINT "remodel_temporary_order_channel_filled";
-- deferred: validate constraint "order_code_check" of table "order"
ALTER TABLE "public"."order" VALIDATE CONSTRAINT "order_code_check";
-- deferred: validate constraint "order_country_check" of table "order"
ALTER TABLE "public"."order" VALIDATE CONSTRAINT "order_country_check";
-- deferred: validate constraint "order_priority_check" of table "order"
ALTER TABLE "public"."order" VALIDATE CONSTRAINT "order_priority_check";
-- deferred: validate constraint "order_state_check" of table "order"
ALTER TABLE "public"."order" VALIDATE CONSTRAINT "order_state_check";
