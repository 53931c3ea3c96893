DROP TRIGGER "book_shelf_cascade" ON "public"."book";
DROP FUNCTION "public"."book_shelf_cascade"();
DROP TRIGGER "book_shelf_name_derive" ON "public"."book";
DROP FUNCTION "public"."book_shelf_name_derive"();
DROP TRIGGER "room_book_count_derive" ON "public"."room";
DROP FUNCTION "public"."room_book_count_derive"();
DROP TRIGGER "room_shelves_rooms_cascade" ON "public"."room_shelves";
DROP FUNCTION "public"."room_shelves_rooms_cascade"();
DROP TRIGGER "room_shelves_room_book_count_insert" ON "public"."room_shelves";
DROP FUNCTION "public"."room_shelves_room_book_count_insert"();
DROP TRIGGER "room_shelves_room_book_count_update" ON "public"."room_shelves";
DROP FUNCTION "public"."room_shelves_room_book_count_update"();
DROP TRIGGER "room_shelves_room_book_count_delete" ON "public"."room_shelves";
DROP FUNCTION "public"."room_shelves_room_book_count_delete"();
DROP TRIGGER "shelf_book_shelf_name_insert" ON "public"."shelf";
DROP FUNCTION "public"."shelf_book_shelf_name_insert"();
DROP TRIGGER "shelf_book_shelf_name_update" ON "public"."shelf";
DROP FUNCTION "public"."shelf_book_shelf_name_update"();
ALTER TABLE "public"."book" RENAME COLUMN "id" TO "number";
ALTER SEQUENCE "public"."book_id_seq" RENAME TO "book_number_seq";
ALTER TABLE "public"."room" RENAME COLUMN "_id" TO "room_id";
ALTER SEQUENCE "public"."room__id_seq" RENAME TO "room_room_id_seq";
ALTER TABLE "public"."shelf" RENAME COLUMN "uid" TO "_id";
UPDATE "public"."book" SET "shelf_name" = (SELECT "remodel_1"."name" FROM "public"."shelf" AS "remodel_1" WHERE "remodel_1"."_id" = "book"."shelf") WHERE "shelf_name" IS DISTINCT FROM (SELECT "remodel_1"."name" FROM "public"."shelf" AS "remodel_1" WHERE "remodel_1"."_id" = "book"."shelf");
UPDATE "public"."room" SET "book_count" = (SELECT count(*) FROM "public"."room_shelves" AS "remodel_link_1" WHERE "remodel_link_1"."rooms" = "room"."room_id") WHERE "book_count" IS DISTINCT FROM (SELECT count(*) FROM "public"."room_shelves" AS "remodel_link_1" WHERE "remodel_link_1"."rooms" = "room"."room_id");
ALTER TABLE "public"."book" ADD COLUMN "id" bigint DEFAULT 0 CONSTRAINT "book_id_not_null" NOT NULL;
CREATE FUNCTION "public"."book_shelf_cascade"() RETURNS trigger LANGUAGE plpgsql
  SET search_path = pg_catalog, pg_temp AS $remodel$
BEGIN
  DELETE FROM "public"."shelf" WHERE "_id" = OLD."shelf";
  RETURN NULL;
END
$remodel$;
CREATE TRIGGER "book_shelf_cascade" AFTER DELETE ON "public"."book"
  FOR EACH ROW EXECUTE FUNCTION "public"."book_shelf_cascade"();
CREATE FUNCTION "public"."book_shelf_name_derive"() RETURNS trigger LANGUAGE plpgsql
  SET search_path = pg_catalog, pg_temp AS $remodel$
BEGIN
  PERFORM (SELECT "remodel_1"."_id" FROM "public"."shelf" AS "remodel_1" WHERE "remodel_1"."_id" = NEW."shelf" FOR SHARE OF "remodel_1");
  NEW."shelf_name" := (SELECT "remodel_1"."name" FROM "public"."shelf" AS "remodel_1" WHERE "remodel_1"."_id" = NEW."shelf");
  RETURN NEW;
END
$remodel$;
CREATE TRIGGER "book_shelf_name_derive" BEFORE INSERT OR UPDATE OF "shelf_name", "shelf" ON "public"."book"
  FOR EACH ROW EXECUTE FUNCTION "public"."book_shelf_name_derive"();
CREATE FUNCTION "public"."room_book_count_derive"() RETURNS trigger LANGUAGE plpgsql
  SET search_path = pg_catalog, pg_temp AS $remodel$
BEGIN
  NEW."book_count" := (SELECT count(*) FROM "public"."room_shelves" AS "remodel_link_1" WHERE "remodel_link_1"."rooms" = NEW."room_id");
  RETURN NEW;
END
$remodel$;
CREATE TRIGGER "room_book_count_derive" BEFORE INSERT OR UPDATE OF "book_count" ON "public"."room"
  FOR EACH ROW EXECUTE FUNCTION "public"."room_book_count_derive"();
CREATE FUNCTION "public"."room_shelves_rooms_cascade"() RETURNS trigger LANGUAGE plpgsql
  SET search_path = pg_catalog, pg_temp AS $remodel$
BEGIN
  IF NOT EXISTS (SELECT FROM "public"."shelf" WHERE "_id" = OLD."shelves") THEN
    DELETE FROM "public"."room" WHERE "room_id" = OLD."rooms";
  END IF;
  RETURN NULL;
END
$remodel$;
CREATE TRIGGER "room_shelves_rooms_cascade" AFTER DELETE ON "public"."room_shelves"
  FOR EACH ROW EXECUTE FUNCTION "public"."room_shelves_rooms_cascade"();
CREATE FUNCTION "public"."room_shelves_room_book_count_insert"() RETURNS trigger LANGUAGE plpgsql
  SET search_path = pg_catalog, pg_temp AS $remodel$
BEGIN
  DECLARE
    remodel_keys bigint[];
  BEGIN
    SELECT array_agg("room_id") INTO remodel_keys FROM (
      SELECT "room_id" FROM "public"."room" WHERE "room_id" IN (SELECT "rooms" FROM remodel_new)
      ORDER BY "room_id" FOR NO KEY UPDATE) AS remodel_owners;
    IF remodel_keys IS NOT NULL THEN
      UPDATE "public"."room" SET "book_count" = "book_count" WHERE "room_id" = ANY (remodel_keys);
    END IF;
  END;
  RETURN NULL;
END
$remodel$;
CREATE TRIGGER "room_shelves_room_book_count_insert" AFTER INSERT ON "public"."room_shelves"
  REFERENCING NEW TABLE AS remodel_new FOR EACH STATEMENT EXECUTE FUNCTION "public"."room_shelves_room_book_count_insert"();
CREATE FUNCTION "public"."room_shelves_room_book_count_update"() RETURNS trigger LANGUAGE plpgsql
  SET search_path = pg_catalog, pg_temp AS $remodel$
BEGIN
  DECLARE
    remodel_keys bigint[];
  BEGIN
    SELECT array_agg("room_id") INTO remodel_keys FROM (
      SELECT "room_id" FROM "public"."room" WHERE "room_id" IN (SELECT "rooms" FROM ((SELECT "rooms", "shelves" FROM remodel_new EXCEPT ALL SELECT "rooms", "shelves" FROM remodel_old) UNION ALL (SELECT "rooms", "shelves" FROM remodel_old EXCEPT ALL SELECT "rooms", "shelves" FROM remodel_new)) AS remodel_changed)
      ORDER BY "room_id" FOR NO KEY UPDATE) AS remodel_owners;
    IF remodel_keys IS NOT NULL THEN
      UPDATE "public"."room" SET "book_count" = "book_count" WHERE "room_id" = ANY (remodel_keys);
    END IF;
  END;
  RETURN NULL;
END
$remodel$;
CREATE TRIGGER "room_shelves_room_book_count_update" AFTER UPDATE ON "public"."room_shelves"
  REFERENCING OLD TABLE AS remodel_old NEW TABLE AS remodel_new FOR EACH STATEMENT EXECUTE FUNCTION "public"."room_shelves_room_book_count_update"();
CREATE FUNCTION "public"."room_shelves_room_book_count_delete"() RETURNS trigger LANGUAGE plpgsql
  SET search_path = pg_catalog, pg_temp AS $remodel$
BEGIN
  DECLARE
    remodel_keys bigint[];
  BEGIN
    SELECT array_agg("room_id") INTO remodel_keys FROM (
      SELECT "room_id" FROM "public"."room" WHERE "room_id" IN (SELECT "rooms" FROM remodel_old)
      ORDER BY "room_id" FOR NO KEY UPDATE) AS remodel_owners;
    IF remodel_keys IS NOT NULL THEN
      UPDATE "public"."room" SET "book_count" = "book_count" WHERE "room_id" = ANY (remodel_keys);
    END IF;
  END;
  RETURN NULL;
END
$remodel$;
CREATE TRIGGER "room_shelves_room_book_count_delete" AFTER DELETE ON "public"."room_shelves"
  REFERENCING OLD TABLE AS remodel_old FOR EACH STATEMENT EXECUTE FUNCTION "public"."room_shelves_room_book_count_delete"();
CREATE FUNCTION "public"."shelf_book_shelf_name_insert"() RETURNS trigger LANGUAGE plpgsql
  SET search_path = pg_catalog, pg_temp AS $remodel$
BEGIN
  DECLARE
    remodel_keys bigint[];
  BEGIN
    SELECT array_agg("number") INTO remodel_keys FROM (
      SELECT "number" FROM "public"."book" WHERE "shelf" IN (SELECT "_id" FROM remodel_new)
      ORDER BY "number" FOR NO KEY UPDATE) AS remodel_owners;
    IF remodel_keys IS NOT NULL THEN
      UPDATE "public"."book" SET "shelf_name" = "shelf_name" WHERE "number" = ANY (remodel_keys);
    END IF;
  END;
  RETURN NULL;
END
$remodel$;
CREATE TRIGGER "shelf_book_shelf_name_insert" AFTER INSERT ON "public"."shelf"
  REFERENCING NEW TABLE AS remodel_new FOR EACH STATEMENT EXECUTE FUNCTION "public"."shelf_book_shelf_name_insert"();
CREATE FUNCTION "public"."shelf_book_shelf_name_update"() RETURNS trigger LANGUAGE plpgsql
  SET search_path = pg_catalog, pg_temp AS $remodel$
BEGIN
  DECLARE
    remodel_keys bigint[];
  BEGIN
    SELECT array_agg("number") INTO remodel_keys FROM (
      SELECT "number" FROM "public"."book" WHERE "shelf" IN (SELECT "_id" FROM ((SELECT "_id", "name" FROM remodel_new EXCEPT ALL SELECT "_id", "name" FROM remodel_old) UNION ALL (SELECT "_id", "name" FROM remodel_old EXCEPT ALL SELECT "_id", "name" FROM remodel_new)) AS remodel_changed)
      ORDER BY "number" FOR NO KEY UPDATE) AS remodel_owners;
    IF remodel_keys IS NOT NULL THEN
      UPDATE "public"."book" SET "shelf_name" = "shelf_name" WHERE "number" = ANY (remodel_keys);
    END IF;
  END;
  RETURN NULL;
END
$remodel$;
CREATE TRIGGER "shelf_book_shelf_name_update" AFTER UPDATE ON "public"."shelf"
  REFERENCING OLD TABLE AS remodel_old NEW TABLE AS remodel_new FOR EACH STATEMENT EXECUTE FUNCTION "public"."shelf_book_shelf_name_update"();
