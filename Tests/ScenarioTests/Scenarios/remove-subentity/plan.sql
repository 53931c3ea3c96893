DROP TRIGGER "reader_shelf_shelf_cascade" ON "public"."reader_shelf";
DROP FUNCTION "public"."reader_shelf_shelf_cascade"();
CREATE TABLE "public"."remodel_retained_before_reader_favourite" AS SELECT "_id", "favourite" FROM "public"."reader" WHERE "favourite" IN (SELECT "_id" FROM "public"."item" WHERE "_entity" IN ('Film'));
UPDATE "public"."reader" SET "favourite" = NULL WHERE "favourite" IN (SELECT "_id" FROM "public"."item" WHERE "_entity" IN ('Film'));
CREATE TABLE "public"."remodel_retained_before_reader_shelf_shelf" AS SELECT * FROM "public"."reader_shelf" WHERE "shelf" IN (SELECT "_id" FROM "public"."item" WHERE "_entity" IN ('Film'));
DELETE FROM "public"."reader_shelf" WHERE "shelf" IN (SELECT "_id" FROM "public"."item" WHERE "_entity" IN ('Film'));
CREATE TABLE "public"."remodel_retained_before_film" AS SELECT * FROM "public"."item" WHERE "_entity" IN ('Film');
DELETE FROM "public"."item" WHERE "_entity" IN ('Film');
ALTER TABLE "public"."item"
  DROP CONSTRAINT "item__entity_check",
  ADD CONSTRAINT "item__entity_check" CHECK ("_entity" IN ('Book'));
CREATE FUNCTION "public"."reader_shelf_shelf_cascade"() RETURNS trigger LANGUAGE plpgsql
  SET search_path = pg_catalog, pg_temp AS $remodel$
BEGIN
  IF NOT EXISTS (SELECT FROM "public"."reader" WHERE "_id" = OLD."reader") THEN
    DELETE FROM "public"."item" WHERE "_id" = OLD."shelf";
  END IF;
  RETURN NULL;
END
$remodel$;
CREATE TRIGGER "reader_shelf_shelf_cascade" AFTER DELETE ON "public"."reader_shelf"
  FOR EACH ROW EXECUTE FUNCTION "public"."reader_shelf_shelf_cascade"();
