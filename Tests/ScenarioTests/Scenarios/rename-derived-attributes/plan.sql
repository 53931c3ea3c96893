DROP INDEX "public"."book_size_title_idx";
DROP INDEX "public"."book_words_idx";
DROP TRIGGER "book_chapter_count_derive" ON "public"."book";
DROP FUNCTION "public"."book_chapter_count_derive"();
DROP TRIGGER "book_pages_derive" ON "public"."book";
DROP FUNCTION "public"."book_pages_derive"();
DROP TRIGGER "book_span_derive" ON "public"."book";
DROP FUNCTION "public"."book_span_derive"();
DROP TRIGGER "chapter_book_chapter_count_insert" ON "public"."chapter";
DROP FUNCTION "public"."chapter_book_chapter_count_insert"();
DROP TRIGGER "chapter_book_chapter_count_update" ON "public"."chapter";
DROP FUNCTION "public"."chapter_book_chapter_count_update"();
DROP TRIGGER "chapter_book_chapter_count_delete" ON "public"."chapter";
DROP FUNCTION "public"."chapter_book_chapter_count_delete"();
DROP TRIGGER "chapter_book_chapter_count_truncate" ON "public"."chapter";
DROP FUNCTION "public"."chapter_book_chapter_count_truncate"();
DROP TRIGGER "chapter_book_pages_insert" ON "public"."chapter";
DROP FUNCTION "public"."chapter_book_pages_insert"();
DROP TRIGGER "chapter_book_pages_update" ON "public"."chapter";
DROP FUNCTION "public"."chapter_book_pages_update"();
DROP TRIGGER "chapter_book_pages_delete" ON "public"."chapter";
DROP FUNCTION "public"."chapter_book_pages_delete"();
DROP TRIGGER "chapter_book_pages_truncate" ON "public"."chapter";
DROP FUNCTION "public"."chapter_book_pages_truncate"();
DROP TRIGGER "chapter_book_span_insert" ON "public"."chapter";
DROP FUNCTION "public"."chapter_book_span_insert"();
DROP TRIGGER "chapter_book_span_update" ON "public"."chapter";
DROP FUNCTION "public"."chapter_book_span_update"();
DROP TRIGGER "chapter_book_span_delete" ON "public"."chapter";
DROP FUNCTION "public"."chapter_book_span_delete"();
DROP TRIGGER "chapter_book_span_truncate" ON "public"."chapter";
DROP FUNCTION "public"."chapter_book_span_truncate"();
ALTER TABLE "public"."book" RENAME COLUMN "mark" TO "chapter_mark";
ALTER TABLE "public"."book" RENAME COLUMN "other" TO "remodel_temporary_other";
ALTER TABLE "public"."book" RENAME COLUMN "pages" TO "longest";
ALTER TABLE "public"."book" RENAME COLUMN "shown" TO "other";
ALTER TABLE "public"."book" RENAME COLUMN "remodel_temporary_other" TO "shown";
ALTER TABLE "public"."book" RENAME COLUMN "size" TO "length";
ALTER TABLE "public"."book" RENAME COLUMN "slug" TO "short_slug";
ALTER TABLE "public"."book" RENAME COLUMN "span" TO "extent";
ALTER TABLE "public"."book" RENAME COLUMN "words" TO "terms";
UPDATE "public"."book" SET "longest" = (SELECT max("remodel_1"."pages") FROM "public"."chapter" AS "remodel_1" WHERE "remodel_1"."book" = "book"."_id")::bigint WHERE "longest" IS DISTINCT FROM (SELECT max("remodel_1"."pages") FROM "public"."chapter" AS "remodel_1" WHERE "remodel_1"."book" = "book"."_id")::bigint;
ALTER TABLE "public"."book"
  DROP COLUMN "length",
  ADD COLUMN "length" bigint GENERATED ALWAYS AS (char_length("title")::bigint) STORED,
  DROP COLUMN "terms",
  ADD COLUMN "terms" tsvector GENERATED ALWAYS AS (to_tsvector('english'::regconfig, (coalesce("title", '') || ' ' || coalesce("note", '')))) STORED CONSTRAINT "book_terms_not_null" NOT NULL,
  DROP COLUMN "short_slug",
  ADD COLUMN "short_slug" text GENERATED ALWAYS AS (left("title", 2)) STORED,
  DROP COLUMN "extent",
  ADD COLUMN "extent" bigint GENERATED ALWAYS AS (char_length("title")::bigint) STORED,
  ALTER COLUMN "chapter_mark" DROP EXPRESSION;
UPDATE "public"."book" SET "chapter_mark" = (SELECT count(*) FROM "public"."chapter" AS "remodel_1" WHERE "remodel_1"."book" = "book"."_id")::integer WHERE "chapter_mark" IS DISTINCT FROM (SELECT count(*) FROM "public"."chapter" AS "remodel_1" WHERE "remodel_1"."book" = "book"."_id")::integer;
ALTER TABLE "public"."book" ADD COLUMN "part_count" bigint;
UPDATE "public"."book" SET "part_count" = (SELECT count(*) FROM "public"."chapter" AS "remodel_1" WHERE "remodel_1"."book" = "book"."_id") WHERE "part_count" IS DISTINCT FROM (SELECT count(*) FROM "public"."chapter" AS "remodel_1" WHERE "remodel_1"."book" = "book"."_id");
ALTER TABLE "public"."book"
  DROP CONSTRAINT "book_shown_key",
  DROP COLUMN "other",
  ADD COLUMN "other" text GENERATED ALWAYS AS (upper("title")) STORED CONSTRAINT "book_other_not_null" NOT NULL,
  ADD CONSTRAINT "book_other_key" UNIQUE ("other");
CREATE INDEX "book_length_title_idx" ON "public"."book" ("length", "title");
CREATE INDEX "book_terms_idx" ON "public"."book" USING gin ("terms");
CREATE FUNCTION "public"."book_chapter_mark_derive"() RETURNS trigger LANGUAGE plpgsql
  SET search_path = pg_catalog, pg_temp AS $remodel$
BEGIN
  NEW."chapter_mark" := (SELECT count(*) FROM "public"."chapter" AS "remodel_1" WHERE "remodel_1"."book" = NEW."_id")::integer;
  RETURN NEW;
END
$remodel$;
CREATE TRIGGER "book_chapter_mark_derive" BEFORE INSERT OR UPDATE OF "chapter_mark" ON "public"."book"
  FOR EACH ROW EXECUTE FUNCTION "public"."book_chapter_mark_derive"();
CREATE FUNCTION "public"."book_longest_derive"() RETURNS trigger LANGUAGE plpgsql
  SET search_path = pg_catalog, pg_temp AS $remodel$
BEGIN
  NEW."longest" := (SELECT max("remodel_1"."pages") FROM "public"."chapter" AS "remodel_1" WHERE "remodel_1"."book" = NEW."_id")::bigint;
  RETURN NEW;
END
$remodel$;
CREATE TRIGGER "book_longest_derive" BEFORE INSERT OR UPDATE OF "longest" ON "public"."book"
  FOR EACH ROW EXECUTE FUNCTION "public"."book_longest_derive"();
CREATE FUNCTION "public"."book_part_count_derive"() RETURNS trigger LANGUAGE plpgsql
  SET search_path = pg_catalog, pg_temp AS $remodel$
BEGIN
  NEW."part_count" := (SELECT count(*) FROM "public"."chapter" AS "remodel_1" WHERE "remodel_1"."book" = NEW."_id");
  RETURN NEW;
END
$remodel$;
CREATE TRIGGER "book_part_count_derive" BEFORE INSERT OR UPDATE OF "part_count" ON "public"."book"
  FOR EACH ROW EXECUTE FUNCTION "public"."book_part_count_derive"();
CREATE FUNCTION "public"."chapter_book_chapter_mark_insert"() RETURNS trigger LANGUAGE plpgsql
  SET search_path = pg_catalog, pg_temp AS $remodel$
BEGIN
  DECLARE
    remodel_keys bigint[];
  BEGIN
    SELECT array_agg("_id") INTO remodel_keys FROM (
      SELECT "_id" FROM "public"."book" WHERE "_id" IN (SELECT "book" FROM remodel_new)
      ORDER BY "_id" FOR NO KEY UPDATE) AS remodel_owners;
    IF remodel_keys IS NOT NULL THEN
      UPDATE "public"."book" SET "chapter_mark" = "chapter_mark" WHERE "_id" = ANY (remodel_keys);
    END IF;
  END;
  RETURN NULL;
END
$remodel$;
CREATE TRIGGER "chapter_book_chapter_mark_insert" AFTER INSERT ON "public"."chapter"
  REFERENCING NEW TABLE AS remodel_new FOR EACH STATEMENT EXECUTE FUNCTION "public"."chapter_book_chapter_mark_insert"();
CREATE FUNCTION "public"."chapter_book_chapter_mark_update"() RETURNS trigger LANGUAGE plpgsql
  SET search_path = pg_catalog, pg_temp AS $remodel$
BEGIN
  DECLARE
    remodel_keys bigint[];
  BEGIN
    SELECT array_agg("_id") INTO remodel_keys FROM (
      SELECT "_id" FROM "public"."book" WHERE "_id" IN (SELECT "book" FROM ((SELECT "_id", "book" FROM remodel_new EXCEPT ALL SELECT "_id", "book" FROM remodel_old) UNION ALL (SELECT "_id", "book" FROM remodel_old EXCEPT ALL SELECT "_id", "book" FROM remodel_new)) AS remodel_changed)
      ORDER BY "_id" FOR NO KEY UPDATE) AS remodel_owners;
    IF remodel_keys IS NOT NULL THEN
      UPDATE "public"."book" SET "chapter_mark" = "chapter_mark" WHERE "_id" = ANY (remodel_keys);
    END IF;
  END;
  RETURN NULL;
END
$remodel$;
CREATE TRIGGER "chapter_book_chapter_mark_update" AFTER UPDATE ON "public"."chapter"
  REFERENCING OLD TABLE AS remodel_old NEW TABLE AS remodel_new FOR EACH STATEMENT EXECUTE FUNCTION "public"."chapter_book_chapter_mark_update"();
CREATE FUNCTION "public"."chapter_book_chapter_mark_delete"() RETURNS trigger LANGUAGE plpgsql
  SET search_path = pg_catalog, pg_temp AS $remodel$
BEGIN
  DECLARE
    remodel_keys bigint[];
  BEGIN
    SELECT array_agg("_id") INTO remodel_keys FROM (
      SELECT "_id" FROM "public"."book" WHERE "_id" IN (SELECT "book" FROM remodel_old)
      ORDER BY "_id" FOR NO KEY UPDATE) AS remodel_owners;
    IF remodel_keys IS NOT NULL THEN
      UPDATE "public"."book" SET "chapter_mark" = "chapter_mark" WHERE "_id" = ANY (remodel_keys);
    END IF;
  END;
  RETURN NULL;
END
$remodel$;
CREATE TRIGGER "chapter_book_chapter_mark_delete" AFTER DELETE ON "public"."chapter"
  REFERENCING OLD TABLE AS remodel_old FOR EACH STATEMENT EXECUTE FUNCTION "public"."chapter_book_chapter_mark_delete"();
CREATE FUNCTION "public"."chapter_book_chapter_mark_truncate"() RETURNS trigger LANGUAGE plpgsql
  SET search_path = pg_catalog, pg_temp AS $remodel$
BEGIN
  UPDATE "public"."book" SET "chapter_mark" = "chapter_mark";
  RETURN NULL;
END
$remodel$;
CREATE TRIGGER "chapter_book_chapter_mark_truncate" AFTER TRUNCATE ON "public"."chapter"
  FOR EACH STATEMENT EXECUTE FUNCTION "public"."chapter_book_chapter_mark_truncate"();
CREATE FUNCTION "public"."chapter_book_longest_insert"() RETURNS trigger LANGUAGE plpgsql
  SET search_path = pg_catalog, pg_temp AS $remodel$
BEGIN
  DECLARE
    remodel_keys bigint[];
  BEGIN
    SELECT array_agg("_id") INTO remodel_keys FROM (
      SELECT "_id" FROM "public"."book" WHERE "_id" IN (SELECT "book" FROM remodel_new)
      ORDER BY "_id" FOR NO KEY UPDATE) AS remodel_owners;
    IF remodel_keys IS NOT NULL THEN
      UPDATE "public"."book" SET "longest" = "longest" WHERE "_id" = ANY (remodel_keys);
    END IF;
  END;
  RETURN NULL;
END
$remodel$;
CREATE TRIGGER "chapter_book_longest_insert" AFTER INSERT ON "public"."chapter"
  REFERENCING NEW TABLE AS remodel_new FOR EACH STATEMENT EXECUTE FUNCTION "public"."chapter_book_longest_insert"();
CREATE FUNCTION "public"."chapter_book_longest_update"() RETURNS trigger LANGUAGE plpgsql
  SET search_path = pg_catalog, pg_temp AS $remodel$
BEGIN
  DECLARE
    remodel_keys bigint[];
  BEGIN
    SELECT array_agg("_id") INTO remodel_keys FROM (
      SELECT "_id" FROM "public"."book" WHERE "_id" IN (SELECT "book" FROM ((SELECT "_id", "pages", "book" FROM remodel_new EXCEPT ALL SELECT "_id", "pages", "book" FROM remodel_old) UNION ALL (SELECT "_id", "pages", "book" FROM remodel_old EXCEPT ALL SELECT "_id", "pages", "book" FROM remodel_new)) AS remodel_changed)
      ORDER BY "_id" FOR NO KEY UPDATE) AS remodel_owners;
    IF remodel_keys IS NOT NULL THEN
      UPDATE "public"."book" SET "longest" = "longest" WHERE "_id" = ANY (remodel_keys);
    END IF;
  END;
  RETURN NULL;
END
$remodel$;
CREATE TRIGGER "chapter_book_longest_update" AFTER UPDATE ON "public"."chapter"
  REFERENCING OLD TABLE AS remodel_old NEW TABLE AS remodel_new FOR EACH STATEMENT EXECUTE FUNCTION "public"."chapter_book_longest_update"();
CREATE FUNCTION "public"."chapter_book_longest_delete"() RETURNS trigger LANGUAGE plpgsql
  SET search_path = pg_catalog, pg_temp AS $remodel$
BEGIN
  DECLARE
    remodel_keys bigint[];
  BEGIN
    SELECT array_agg("_id") INTO remodel_keys FROM (
      SELECT "_id" FROM "public"."book" WHERE "_id" IN (SELECT "book" FROM remodel_old)
      ORDER BY "_id" FOR NO KEY UPDATE) AS remodel_owners;
    IF remodel_keys IS NOT NULL THEN
      UPDATE "public"."book" SET "longest" = "longest" WHERE "_id" = ANY (remodel_keys);
    END IF;
  END;
  RETURN NULL;
END
$remodel$;
CREATE TRIGGER "chapter_book_longest_delete" AFTER DELETE ON "public"."chapter"
  REFERENCING OLD TABLE AS remodel_old FOR EACH STATEMENT EXECUTE FUNCTION "public"."chapter_book_longest_delete"();
CREATE FUNCTION "public"."chapter_book_longest_truncate"() RETURNS trigger LANGUAGE plpgsql
  SET search_path = pg_catalog, pg_temp AS $remodel$
BEGIN
  UPDATE "public"."book" SET "longest" = "longest";
  RETURN NULL;
END
$remodel$;
CREATE TRIGGER "chapter_book_longest_truncate" AFTER TRUNCATE ON "public"."chapter"
  FOR EACH STATEMENT EXECUTE FUNCTION "public"."chapter_book_longest_truncate"();
CREATE FUNCTION "public"."chapter_book_part_count_insert"() RETURNS trigger LANGUAGE plpgsql
  SET search_path = pg_catalog, pg_temp AS $remodel$
BEGIN
  DECLARE
    remodel_keys bigint[];
  BEGIN
    SELECT array_agg("_id") INTO remodel_keys FROM (
      SELECT "_id" FROM "public"."book" WHERE "_id" IN (SELECT "book" FROM remodel_new)
      ORDER BY "_id" FOR NO KEY UPDATE) AS remodel_owners;
    IF remodel_keys IS NOT NULL THEN
      UPDATE "public"."book" SET "part_count" = "part_count" WHERE "_id" = ANY (remodel_keys);
    END IF;
  END;
  RETURN NULL;
END
$remodel$;
CREATE TRIGGER "chapter_book_part_count_insert" AFTER INSERT ON "public"."chapter"
  REFERENCING NEW TABLE AS remodel_new FOR EACH STATEMENT EXECUTE FUNCTION "public"."chapter_book_part_count_insert"();
CREATE FUNCTION "public"."chapter_book_part_count_update"() RETURNS trigger LANGUAGE plpgsql
  SET search_path = pg_catalog, pg_temp AS $remodel$
BEGIN
  DECLARE
    remodel_keys bigint[];
  BEGIN
    SELECT array_agg("_id") INTO remodel_keys FROM (
      SELECT "_id" FROM "public"."book" WHERE "_id" IN (SELECT "book" FROM ((SELECT "_id", "book" FROM remodel_new EXCEPT ALL SELECT "_id", "book" FROM remodel_old) UNION ALL (SELECT "_id", "book" FROM remodel_old EXCEPT ALL SELECT "_id", "book" FROM remodel_new)) AS remodel_changed)
      ORDER BY "_id" FOR NO KEY UPDATE) AS remodel_owners;
    IF remodel_keys IS NOT NULL THEN
      UPDATE "public"."book" SET "part_count" = "part_count" WHERE "_id" = ANY (remodel_keys);
    END IF;
  END;
  RETURN NULL;
END
$remodel$;
CREATE TRIGGER "chapter_book_part_count_update" AFTER UPDATE ON "public"."chapter"
  REFERENCING OLD TABLE AS remodel_old NEW TABLE AS remodel_new FOR EACH STATEMENT EXECUTE FUNCTION "public"."chapter_book_part_count_update"();
CREATE FUNCTION "public"."chapter_book_part_count_delete"() RETURNS trigger LANGUAGE plpgsql
  SET search_path = pg_catalog, pg_temp AS $remodel$
BEGIN
  DECLARE
    remodel_keys bigint[];
  BEGIN
    SELECT array_agg("_id") INTO remodel_keys FROM (
      SELECT "_id" FROM "public"."book" WHERE "_id" IN (SELECT "book" FROM remodel_old)
      ORDER BY "_id" FOR NO KEY UPDATE) AS remodel_owners;
    IF remodel_keys IS NOT NULL THEN
      UPDATE "public"."book" SET "part_count" = "part_count" WHERE "_id" = ANY (remodel_keys);
    END IF;
  END;
  RETURN NULL;
END
$remodel$;
CREATE TRIGGER "chapter_book_part_count_delete" AFTER DELETE ON "public"."chapter"
  REFERENCING OLD TABLE AS remodel_old FOR EACH STATEMENT EXECUTE FUNCTION "public"."chapter_book_part_count_delete"();
CREATE FUNCTION "public"."chapter_book_part_count_truncate"() RETURNS trigger LANGUAGE plpgsql
  SET search_path = pg_catalog, pg_temp AS $remodel$
BEGIN
  UPDATE "public"."book" SET "part_count" = "part_count";
  RETURN NULL;
END
$remodel$;
CREATE TRIGGER "chapter_book_part_count_truncate" AFTER TRUNCATE ON "public"."chapter"
  FOR EACH STATEMENT EXECUTE FUNCTION "public"."chapter_book_part_count_truncate"();
