ALTER TABLE "public"."book"
  ADD COLUMN "search_title" text GENERATED ALWAYS AS (lower(regexp_replace(normalize("title", NFKD), '[\u0300-\u036F\u1AB0-\u1AFF\u1DC0-\u1DFF\u20D0-\u20FF\uFE20-\uFE2F]', '', 'g'))) STORED,
  ADD COLUMN "author_name" text;
UPDATE "public"."book" SET "author_name" = (SELECT "remodel_1"."name" FROM "public"."author" AS "remodel_1" WHERE "remodel_1"."_id" = "book"."author") WHERE "author_name" IS DISTINCT FROM (SELECT "remodel_1"."name" FROM "public"."author" AS "remodel_1" WHERE "remodel_1"."_id" = "book"."author");
ALTER TABLE "public"."book" ADD COLUMN "page_count" bigint;
UPDATE "public"."book" SET "page_count" = (SELECT coalesce(sum("remodel_1"."pages"), 0) FROM "public"."chapter" AS "remodel_1" WHERE "remodel_1"."book" = "book"."_id")::bigint WHERE "page_count" IS DISTINCT FROM (SELECT coalesce(sum("remodel_1"."pages"), 0) FROM "public"."chapter" AS "remodel_1" WHERE "remodel_1"."book" = "book"."_id")::bigint;
ALTER TABLE "public"."book" ALTER COLUMN "page_count" SET NOT NULL;
CREATE FUNCTION "public"."author_book_author_name_insert"() RETURNS trigger LANGUAGE plpgsql
  SET search_path = pg_catalog, pg_temp AS $remodel$
BEGIN
  DECLARE
    remodel_keys bigint[];
  BEGIN
    SELECT array_agg("_id") INTO remodel_keys FROM (
      SELECT "_id" FROM "public"."book" WHERE "author" IN (SELECT "_id" FROM remodel_new)
      ORDER BY "_id" FOR NO KEY UPDATE) AS remodel_owners;
    IF remodel_keys IS NOT NULL THEN
      UPDATE "public"."book" SET "author_name" = "author_name" WHERE "_id" = ANY (remodel_keys);
    END IF;
  END;
  RETURN NULL;
END
$remodel$;
CREATE TRIGGER "author_book_author_name_insert" AFTER INSERT ON "public"."author"
  REFERENCING NEW TABLE AS remodel_new FOR EACH STATEMENT EXECUTE FUNCTION "public"."author_book_author_name_insert"();
CREATE FUNCTION "public"."author_book_author_name_update"() RETURNS trigger LANGUAGE plpgsql
  SET search_path = pg_catalog, pg_temp AS $remodel$
BEGIN
  DECLARE
    remodel_keys bigint[];
  BEGIN
    SELECT array_agg("_id") INTO remodel_keys FROM (
      SELECT "_id" FROM "public"."book" WHERE "author" IN (SELECT "_id" FROM ((SELECT "_id", "name" FROM remodel_new EXCEPT ALL SELECT "_id", "name" FROM remodel_old) UNION ALL (SELECT "_id", "name" FROM remodel_old EXCEPT ALL SELECT "_id", "name" FROM remodel_new)) AS remodel_changed)
      ORDER BY "_id" FOR NO KEY UPDATE) AS remodel_owners;
    IF remodel_keys IS NOT NULL THEN
      UPDATE "public"."book" SET "author_name" = "author_name" WHERE "_id" = ANY (remodel_keys);
    END IF;
  END;
  RETURN NULL;
END
$remodel$;
CREATE TRIGGER "author_book_author_name_update" AFTER UPDATE ON "public"."author"
  REFERENCING OLD TABLE AS remodel_old NEW TABLE AS remodel_new FOR EACH STATEMENT EXECUTE FUNCTION "public"."author_book_author_name_update"();
CREATE FUNCTION "public"."book_author_name_derive"() RETURNS trigger LANGUAGE plpgsql
  SET search_path = pg_catalog, pg_temp AS $remodel$
BEGIN
  PERFORM (SELECT "remodel_1"."_id" FROM "public"."author" AS "remodel_1" WHERE "remodel_1"."_id" = NEW."author" FOR SHARE OF "remodel_1");
  NEW."author_name" := (SELECT "remodel_1"."name" FROM "public"."author" AS "remodel_1" WHERE "remodel_1"."_id" = NEW."author");
  RETURN NEW;
END
$remodel$;
CREATE TRIGGER "book_author_name_derive" BEFORE INSERT OR UPDATE OF "author_name", "author" ON "public"."book"
  FOR EACH ROW EXECUTE FUNCTION "public"."book_author_name_derive"();
CREATE FUNCTION "public"."book_page_count_derive"() RETURNS trigger LANGUAGE plpgsql
  SET search_path = pg_catalog, pg_temp AS $remodel$
BEGIN
  NEW."page_count" := (SELECT coalesce(sum("remodel_1"."pages"), 0) FROM "public"."chapter" AS "remodel_1" WHERE "remodel_1"."book" = NEW."_id")::bigint;
  RETURN NEW;
END
$remodel$;
CREATE TRIGGER "book_page_count_derive" BEFORE INSERT OR UPDATE OF "page_count" ON "public"."book"
  FOR EACH ROW EXECUTE FUNCTION "public"."book_page_count_derive"();
CREATE FUNCTION "public"."chapter_book_page_count_insert"() RETURNS trigger LANGUAGE plpgsql
  SET search_path = pg_catalog, pg_temp AS $remodel$
BEGIN
  DECLARE
    remodel_keys bigint[];
  BEGIN
    SELECT array_agg("_id") INTO remodel_keys FROM (
      SELECT "_id" FROM "public"."book" WHERE "_id" IN (SELECT "book" FROM remodel_new)
      ORDER BY "_id" FOR NO KEY UPDATE) AS remodel_owners;
    IF remodel_keys IS NOT NULL THEN
      UPDATE "public"."book" SET "page_count" = "page_count" WHERE "_id" = ANY (remodel_keys);
    END IF;
  END;
  RETURN NULL;
END
$remodel$;
CREATE TRIGGER "chapter_book_page_count_insert" AFTER INSERT ON "public"."chapter"
  REFERENCING NEW TABLE AS remodel_new FOR EACH STATEMENT EXECUTE FUNCTION "public"."chapter_book_page_count_insert"();
CREATE FUNCTION "public"."chapter_book_page_count_update"() RETURNS trigger LANGUAGE plpgsql
  SET search_path = pg_catalog, pg_temp AS $remodel$
BEGIN
  DECLARE
    remodel_keys bigint[];
  BEGIN
    SELECT array_agg("_id") INTO remodel_keys FROM (
      SELECT "_id" FROM "public"."book" WHERE "_id" IN (SELECT "book" FROM ((SELECT "_id", "pages", "book" FROM remodel_new EXCEPT ALL SELECT "_id", "pages", "book" FROM remodel_old) UNION ALL (SELECT "_id", "pages", "book" FROM remodel_old EXCEPT ALL SELECT "_id", "pages", "book" FROM remodel_new)) AS remodel_changed)
      ORDER BY "_id" FOR NO KEY UPDATE) AS remodel_owners;
    IF remodel_keys IS NOT NULL THEN
      UPDATE "public"."book" SET "page_count" = "page_count" WHERE "_id" = ANY (remodel_keys);
    END IF;
  END;
  RETURN NULL;
END
$remodel$;
CREATE TRIGGER "chapter_book_page_count_update" AFTER UPDATE ON "public"."chapter"
  REFERENCING OLD TABLE AS remodel_old NEW TABLE AS remodel_new FOR EACH STATEMENT EXECUTE FUNCTION "public"."chapter_book_page_count_update"();
CREATE FUNCTION "public"."chapter_book_page_count_delete"() RETURNS trigger LANGUAGE plpgsql
  SET search_path = pg_catalog, pg_temp AS $remodel$
BEGIN
  DECLARE
    remodel_keys bigint[];
  BEGIN
    SELECT array_agg("_id") INTO remodel_keys FROM (
      SELECT "_id" FROM "public"."book" WHERE "_id" IN (SELECT "book" FROM remodel_old)
      ORDER BY "_id" FOR NO KEY UPDATE) AS remodel_owners;
    IF remodel_keys IS NOT NULL THEN
      UPDATE "public"."book" SET "page_count" = "page_count" WHERE "_id" = ANY (remodel_keys);
    END IF;
  END;
  RETURN NULL;
END
$remodel$;
CREATE TRIGGER "chapter_book_page_count_delete" AFTER DELETE ON "public"."chapter"
  REFERENCING OLD TABLE AS remodel_old FOR EACH STATEMENT EXECUTE FUNCTION "public"."chapter_book_page_count_delete"();
CREATE FUNCTION "public"."chapter_book_page_count_truncate"() RETURNS trigger LANGUAGE plpgsql
  SET search_path = pg_catalog, pg_temp AS $remodel$
BEGIN
  UPDATE "public"."book" SET "page_count" = "page_count";
  RETURN NULL;
END
$remodel$;
CREATE TRIGGER "chapter_book_page_count_truncate" AFTER TRUNCATE ON "public"."chapter"
  FOR EACH STATEMENT EXECUTE FUNCTION "public"."chapter_book_page_count_truncate"();
