DROP TRIGGER "chapter_book_chapter_count_insert" ON "public"."chapter";
DROP FUNCTION "public"."chapter_book_chapter_count_insert"();
DROP TRIGGER "chapter_book_chapter_count_update" ON "public"."chapter";
DROP FUNCTION "public"."chapter_book_chapter_count_update"();
DROP TRIGGER "chapter_book_chapter_count_delete" ON "public"."chapter";
DROP FUNCTION "public"."chapter_book_chapter_count_delete"();
DROP TRIGGER "chapter_book_chapter_count_truncate" ON "public"."chapter";
DROP FUNCTION "public"."chapter_book_chapter_count_truncate"();
DROP TRIGGER "book_chapter_count_derive" ON "public"."book";
DROP FUNCTION "public"."book_chapter_count_derive"();
ALTER TABLE "public"."book" RENAME TO "volume";
ALTER TABLE "public"."chapter" RENAME COLUMN "book" TO "volume";
ALTER TABLE "public"."chapter" RENAME CONSTRAINT "chapter_book_fkey" TO "chapter_volume_fkey";
ALTER INDEX "public"."chapter_book_idx" RENAME TO "chapter_volume_idx";
ALTER TABLE "public"."volume" RENAME COLUMN "title" TO "name";
ALTER SEQUENCE "public"."book__id_seq" RENAME TO "volume__id_seq";
ALTER TABLE "public"."volume" RENAME CONSTRAINT "book_pkey" TO "volume_pkey";
UPDATE "public"."volume" SET "chapter_count" = (SELECT count(*) FROM "public"."chapter" AS "remodel_1" WHERE "remodel_1"."volume" = "volume"."_id")::integer WHERE "chapter_count" IS DISTINCT FROM (SELECT count(*) FROM "public"."chapter" AS "remodel_1" WHERE "remodel_1"."volume" = "volume"."_id")::integer;
ALTER TABLE "public"."volume"
  DROP COLUMN "size",
  ADD COLUMN "size" bigint GENERATED ALWAYS AS (char_length("name")::bigint * 2::bigint) STORED,
  ALTER COLUMN "shown" DROP EXPRESSION,
  ALTER COLUMN "old" DROP EXPRESSION;
CREATE FUNCTION "public"."chapter_volume_chapter_count_insert"() RETURNS trigger LANGUAGE plpgsql
  SET search_path = pg_catalog, pg_temp AS $remodel$
BEGIN
  DECLARE
    remodel_keys bigint[];
  BEGIN
    SELECT array_agg("_id") INTO remodel_keys FROM (
      SELECT "_id" FROM "public"."volume" WHERE "_id" IN (SELECT "volume" FROM remodel_new)
      ORDER BY "_id" FOR NO KEY UPDATE) AS remodel_owners;
    IF remodel_keys IS NOT NULL THEN
      UPDATE "public"."volume" SET "chapter_count" = "chapter_count" WHERE "_id" = ANY (remodel_keys);
    END IF;
  END;
  RETURN NULL;
END
$remodel$;
CREATE TRIGGER "chapter_volume_chapter_count_insert" AFTER INSERT ON "public"."chapter"
  REFERENCING NEW TABLE AS remodel_new FOR EACH STATEMENT EXECUTE FUNCTION "public"."chapter_volume_chapter_count_insert"();
CREATE FUNCTION "public"."chapter_volume_chapter_count_update"() RETURNS trigger LANGUAGE plpgsql
  SET search_path = pg_catalog, pg_temp AS $remodel$
BEGIN
  DECLARE
    remodel_keys bigint[];
  BEGIN
    SELECT array_agg("_id") INTO remodel_keys FROM (
      SELECT "_id" FROM "public"."volume" WHERE "_id" IN (SELECT "volume" FROM ((SELECT "_id", "volume" FROM remodel_new EXCEPT ALL SELECT "_id", "volume" FROM remodel_old) UNION ALL (SELECT "_id", "volume" FROM remodel_old EXCEPT ALL SELECT "_id", "volume" FROM remodel_new)) AS remodel_changed)
      ORDER BY "_id" FOR NO KEY UPDATE) AS remodel_owners;
    IF remodel_keys IS NOT NULL THEN
      UPDATE "public"."volume" SET "chapter_count" = "chapter_count" WHERE "_id" = ANY (remodel_keys);
    END IF;
  END;
  RETURN NULL;
END
$remodel$;
CREATE TRIGGER "chapter_volume_chapter_count_update" AFTER UPDATE ON "public"."chapter"
  REFERENCING OLD TABLE AS remodel_old NEW TABLE AS remodel_new FOR EACH STATEMENT EXECUTE FUNCTION "public"."chapter_volume_chapter_count_update"();
CREATE FUNCTION "public"."chapter_volume_chapter_count_delete"() RETURNS trigger LANGUAGE plpgsql
  SET search_path = pg_catalog, pg_temp AS $remodel$
BEGIN
  DECLARE
    remodel_keys bigint[];
  BEGIN
    SELECT array_agg("_id") INTO remodel_keys FROM (
      SELECT "_id" FROM "public"."volume" WHERE "_id" IN (SELECT "volume" FROM remodel_old)
      ORDER BY "_id" FOR NO KEY UPDATE) AS remodel_owners;
    IF remodel_keys IS NOT NULL THEN
      UPDATE "public"."volume" SET "chapter_count" = "chapter_count" WHERE "_id" = ANY (remodel_keys);
    END IF;
  END;
  RETURN NULL;
END
$remodel$;
CREATE TRIGGER "chapter_volume_chapter_count_delete" AFTER DELETE ON "public"."chapter"
  REFERENCING OLD TABLE AS remodel_old FOR EACH STATEMENT EXECUTE FUNCTION "public"."chapter_volume_chapter_count_delete"();
CREATE FUNCTION "public"."chapter_volume_chapter_count_truncate"() RETURNS trigger LANGUAGE plpgsql
  SET search_path = pg_catalog, pg_temp AS $remodel$
BEGIN
  UPDATE "public"."volume" SET "chapter_count" = "chapter_count";
  RETURN NULL;
END
$remodel$;
CREATE TRIGGER "chapter_volume_chapter_count_truncate" AFTER TRUNCATE ON "public"."chapter"
  FOR EACH STATEMENT EXECUTE FUNCTION "public"."chapter_volume_chapter_count_truncate"();
CREATE FUNCTION "public"."volume_chapter_count_derive"() RETURNS trigger LANGUAGE plpgsql
  SET search_path = pg_catalog, pg_temp AS $remodel$
BEGIN
  NEW."chapter_count" := (SELECT count(*) FROM "public"."chapter" AS "remodel_1" WHERE "remodel_1"."volume" = NEW."_id")::integer;
  RETURN NEW;
END
$remodel$;
CREATE TRIGGER "volume_chapter_count_derive" BEFORE INSERT OR UPDATE OF "chapter_count" ON "public"."volume"
  FOR EACH ROW EXECUTE FUNCTION "public"."volume_chapter_count_derive"();
