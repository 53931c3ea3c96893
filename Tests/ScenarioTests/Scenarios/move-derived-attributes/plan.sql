DROP TRIGGER "document_part_count_derive" ON "public"."document";
DROP FUNCTION "public"."document_part_count_derive"();
DROP TRIGGER "document_report_pages_derive" ON "public"."document";
DROP FUNCTION "public"."document_report_pages_derive"();
DROP TRIGGER "part_document_part_count_insert" ON "public"."part";
DROP FUNCTION "public"."part_document_part_count_insert"();
DROP TRIGGER "part_document_part_count_update" ON "public"."part";
DROP FUNCTION "public"."part_document_part_count_update"();
DROP TRIGGER "part_document_part_count_delete" ON "public"."part";
DROP FUNCTION "public"."part_document_part_count_delete"();
DROP TRIGGER "part_document_part_count_truncate" ON "public"."part";
DROP FUNCTION "public"."part_document_part_count_truncate"();
DROP TRIGGER "part_document_report_pages_insert" ON "public"."part";
DROP FUNCTION "public"."part_document_report_pages_insert"();
DROP TRIGGER "part_document_report_pages_update" ON "public"."part";
DROP FUNCTION "public"."part_document_report_pages_update"();
DROP TRIGGER "part_document_report_pages_delete" ON "public"."part";
DROP FUNCTION "public"."part_document_report_pages_delete"();
DROP TRIGGER "part_document_report_pages_truncate" ON "public"."part";
DROP FUNCTION "public"."part_document_report_pages_truncate"();
ALTER TABLE "public"."document" RENAME COLUMN "letter_key" TO "message_key";
ALTER TABLE "public"."document" RENAME COLUMN "report_length" TO "length";
ALTER TABLE "public"."document" RENAME COLUMN "report_pages" TO "pages";
ALTER TABLE "public"."document"
  DROP COLUMN "length",
  DROP COLUMN "message_key",
  ADD COLUMN "report_part_count" integer,
  DROP CONSTRAINT "document__entity_check";
UPDATE "public"."document" SET "_entity" = 'Message' WHERE "_entity" IN ('Letter');
UPDATE "public"."document" SET "pages" = (SELECT coalesce(sum("remodel_1"."pages"), 0) FROM "public"."part" AS "remodel_1" WHERE "remodel_1"."document" = "document"."_id")::bigint WHERE "pages" IS DISTINCT FROM (SELECT coalesce(sum("remodel_1"."pages"), 0) FROM "public"."part" AS "remodel_1" WHERE "remodel_1"."document" = "document"."_id")::bigint;
UPDATE "public"."document" SET "report_part_count" = CASE WHEN "document"."_entity" IN ('Report') THEN (SELECT count(*) FROM "public"."part" AS "remodel_1" WHERE "remodel_1"."document" = "document"."_id")::integer END WHERE "report_part_count" IS DISTINCT FROM CASE WHEN "document"."_entity" IN ('Report') THEN (SELECT count(*) FROM "public"."part" AS "remodel_1" WHERE "remodel_1"."document" = "document"."_id")::integer END;
ALTER TABLE "public"."document"
  ADD COLUMN "length" integer GENERATED ALWAYS AS (char_length("title")) STORED,
  ADD COLUMN "message_key" text GENERATED ALWAYS AS (CASE WHEN "_entity" IN ('Message') THEN upper("title") END) STORED,
  ADD COLUMN "report_shown" text GENERATED ALWAYS AS (CASE WHEN "_entity" IN ('Report') THEN lower("title") END) STORED,
  ADD COLUMN "report_words" tsvector GENERATED ALWAYS AS (CASE WHEN "_entity" IN ('Report') THEN to_tsvector('english'::regconfig, (coalesce("title", ''))) END) STORED,
  ADD CONSTRAINT "document__entity_check" CHECK ("_entity" IN ('Document', 'Message', 'Report')),
  ALTER COLUMN "shown" DROP EXPRESSION,
  ALTER COLUMN "words" DROP EXPRESSION,
  ALTER COLUMN "words" DROP NOT NULL;
CREATE FUNCTION "public"."document_pages_derive"() RETURNS trigger LANGUAGE plpgsql
  SET search_path = pg_catalog, pg_temp AS $remodel$
BEGIN
  NEW."pages" := (SELECT coalesce(sum("remodel_1"."pages"), 0) FROM "public"."part" AS "remodel_1" WHERE "remodel_1"."document" = NEW."_id")::bigint;
  RETURN NEW;
END
$remodel$;
CREATE TRIGGER "document_pages_derive" BEFORE INSERT OR UPDATE OF "pages" ON "public"."document"
  FOR EACH ROW EXECUTE FUNCTION "public"."document_pages_derive"();
CREATE FUNCTION "public"."document_report_part_count_derive"() RETURNS trigger LANGUAGE plpgsql
  SET search_path = pg_catalog, pg_temp AS $remodel$
BEGIN
  NEW."report_part_count" := CASE WHEN NEW."_entity" IN ('Report') THEN (SELECT count(*) FROM "public"."part" AS "remodel_1" WHERE "remodel_1"."document" = NEW."_id")::integer END;
  RETURN NEW;
END
$remodel$;
CREATE TRIGGER "document_report_part_count_derive" BEFORE INSERT OR UPDATE OF "report_part_count", "_entity" ON "public"."document"
  FOR EACH ROW EXECUTE FUNCTION "public"."document_report_part_count_derive"();
CREATE FUNCTION "public"."part_document_pages_insert"() RETURNS trigger LANGUAGE plpgsql
  SET search_path = pg_catalog, pg_temp AS $remodel$
BEGIN
  DECLARE
    remodel_keys bigint[];
  BEGIN
    SELECT array_agg("_id") INTO remodel_keys FROM (
      SELECT "_id" FROM "public"."document" WHERE "_id" IN (SELECT "document" FROM remodel_new)
      ORDER BY "_id" FOR NO KEY UPDATE) AS remodel_owners;
    IF remodel_keys IS NOT NULL THEN
      UPDATE "public"."document" SET "pages" = "pages" WHERE "_id" = ANY (remodel_keys);
    END IF;
  END;
  RETURN NULL;
END
$remodel$;
CREATE TRIGGER "part_document_pages_insert" AFTER INSERT ON "public"."part"
  REFERENCING NEW TABLE AS remodel_new FOR EACH STATEMENT EXECUTE FUNCTION "public"."part_document_pages_insert"();
CREATE FUNCTION "public"."part_document_pages_update"() RETURNS trigger LANGUAGE plpgsql
  SET search_path = pg_catalog, pg_temp AS $remodel$
BEGIN
  DECLARE
    remodel_keys bigint[];
  BEGIN
    SELECT array_agg("_id") INTO remodel_keys FROM (
      SELECT "_id" FROM "public"."document" WHERE "_id" IN (SELECT "document" FROM ((SELECT "_id", "pages", "document" FROM remodel_new EXCEPT ALL SELECT "_id", "pages", "document" FROM remodel_old) UNION ALL (SELECT "_id", "pages", "document" FROM remodel_old EXCEPT ALL SELECT "_id", "pages", "document" FROM remodel_new)) AS remodel_changed)
      ORDER BY "_id" FOR NO KEY UPDATE) AS remodel_owners;
    IF remodel_keys IS NOT NULL THEN
      UPDATE "public"."document" SET "pages" = "pages" WHERE "_id" = ANY (remodel_keys);
    END IF;
  END;
  RETURN NULL;
END
$remodel$;
CREATE TRIGGER "part_document_pages_update" AFTER UPDATE ON "public"."part"
  REFERENCING OLD TABLE AS remodel_old NEW TABLE AS remodel_new FOR EACH STATEMENT EXECUTE FUNCTION "public"."part_document_pages_update"();
CREATE FUNCTION "public"."part_document_pages_delete"() RETURNS trigger LANGUAGE plpgsql
  SET search_path = pg_catalog, pg_temp AS $remodel$
BEGIN
  DECLARE
    remodel_keys bigint[];
  BEGIN
    SELECT array_agg("_id") INTO remodel_keys FROM (
      SELECT "_id" FROM "public"."document" WHERE "_id" IN (SELECT "document" FROM remodel_old)
      ORDER BY "_id" FOR NO KEY UPDATE) AS remodel_owners;
    IF remodel_keys IS NOT NULL THEN
      UPDATE "public"."document" SET "pages" = "pages" WHERE "_id" = ANY (remodel_keys);
    END IF;
  END;
  RETURN NULL;
END
$remodel$;
CREATE TRIGGER "part_document_pages_delete" AFTER DELETE ON "public"."part"
  REFERENCING OLD TABLE AS remodel_old FOR EACH STATEMENT EXECUTE FUNCTION "public"."part_document_pages_delete"();
CREATE FUNCTION "public"."part_document_pages_truncate"() RETURNS trigger LANGUAGE plpgsql
  SET search_path = pg_catalog, pg_temp AS $remodel$
BEGIN
  UPDATE "public"."document" SET "pages" = "pages";
  RETURN NULL;
END
$remodel$;
CREATE TRIGGER "part_document_pages_truncate" AFTER TRUNCATE ON "public"."part"
  FOR EACH STATEMENT EXECUTE FUNCTION "public"."part_document_pages_truncate"();
CREATE FUNCTION "public"."part_document_report_part_count_insert"() RETURNS trigger LANGUAGE plpgsql
  SET search_path = pg_catalog, pg_temp AS $remodel$
BEGIN
  DECLARE
    remodel_keys bigint[];
  BEGIN
    SELECT array_agg("_id") INTO remodel_keys FROM (
      SELECT "_id" FROM "public"."document" WHERE "_id" IN (SELECT "document" FROM remodel_new)
      ORDER BY "_id" FOR NO KEY UPDATE) AS remodel_owners;
    IF remodel_keys IS NOT NULL THEN
      UPDATE "public"."document" SET "report_part_count" = "report_part_count" WHERE "_id" = ANY (remodel_keys);
    END IF;
  END;
  RETURN NULL;
END
$remodel$;
CREATE TRIGGER "part_document_report_part_count_insert" AFTER INSERT ON "public"."part"
  REFERENCING NEW TABLE AS remodel_new FOR EACH STATEMENT EXECUTE FUNCTION "public"."part_document_report_part_count_insert"();
CREATE FUNCTION "public"."part_document_report_part_count_update"() RETURNS trigger LANGUAGE plpgsql
  SET search_path = pg_catalog, pg_temp AS $remodel$
BEGIN
  DECLARE
    remodel_keys bigint[];
  BEGIN
    SELECT array_agg("_id") INTO remodel_keys FROM (
      SELECT "_id" FROM "public"."document" WHERE "_id" IN (SELECT "document" FROM ((SELECT "_id", "document" FROM remodel_new EXCEPT ALL SELECT "_id", "document" FROM remodel_old) UNION ALL (SELECT "_id", "document" FROM remodel_old EXCEPT ALL SELECT "_id", "document" FROM remodel_new)) AS remodel_changed)
      ORDER BY "_id" FOR NO KEY UPDATE) AS remodel_owners;
    IF remodel_keys IS NOT NULL THEN
      UPDATE "public"."document" SET "report_part_count" = "report_part_count" WHERE "_id" = ANY (remodel_keys);
    END IF;
  END;
  RETURN NULL;
END
$remodel$;
CREATE TRIGGER "part_document_report_part_count_update" AFTER UPDATE ON "public"."part"
  REFERENCING OLD TABLE AS remodel_old NEW TABLE AS remodel_new FOR EACH STATEMENT EXECUTE FUNCTION "public"."part_document_report_part_count_update"();
CREATE FUNCTION "public"."part_document_report_part_count_delete"() RETURNS trigger LANGUAGE plpgsql
  SET search_path = pg_catalog, pg_temp AS $remodel$
BEGIN
  DECLARE
    remodel_keys bigint[];
  BEGIN
    SELECT array_agg("_id") INTO remodel_keys FROM (
      SELECT "_id" FROM "public"."document" WHERE "_id" IN (SELECT "document" FROM remodel_old)
      ORDER BY "_id" FOR NO KEY UPDATE) AS remodel_owners;
    IF remodel_keys IS NOT NULL THEN
      UPDATE "public"."document" SET "report_part_count" = "report_part_count" WHERE "_id" = ANY (remodel_keys);
    END IF;
  END;
  RETURN NULL;
END
$remodel$;
CREATE TRIGGER "part_document_report_part_count_delete" AFTER DELETE ON "public"."part"
  REFERENCING OLD TABLE AS remodel_old FOR EACH STATEMENT EXECUTE FUNCTION "public"."part_document_report_part_count_delete"();
CREATE FUNCTION "public"."part_document_report_part_count_truncate"() RETURNS trigger LANGUAGE plpgsql
  SET search_path = pg_catalog, pg_temp AS $remodel$
BEGIN
  UPDATE "public"."document" SET "report_part_count" = "report_part_count";
  RETURN NULL;
END
$remodel$;
CREATE TRIGGER "part_document_report_part_count_truncate" AFTER TRUNCATE ON "public"."part"
  FOR EACH STATEMENT EXECUTE FUNCTION "public"."part_document_report_part_count_truncate"();
