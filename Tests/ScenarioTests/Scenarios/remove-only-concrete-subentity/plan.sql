CREATE TABLE "public"."remodel_retained_before_reader_favourite" AS SELECT "_id", "favourite" FROM "public"."reader" WHERE "favourite" IN (SELECT "_id" FROM "public"."item");
UPDATE "public"."reader" SET "favourite" = NULL WHERE "favourite" IN (SELECT "_id" FROM "public"."item");
CREATE TABLE "public"."remodel_retained_before_reader_shelf_shelf" AS SELECT * FROM "public"."reader_shelf" WHERE "shelf" IN (SELECT "_id" FROM "public"."item");
DELETE FROM "public"."reader_shelf" WHERE "shelf" IN (SELECT "_id" FROM "public"."item");
CREATE TABLE "public"."remodel_retained_before_book" AS SELECT * FROM "public"."item";
DELETE FROM "public"."item";
ALTER TABLE "public"."item"
  DROP CONSTRAINT "item__entity_check",
  DROP CONSTRAINT "item_book_title_check",
  ALTER COLUMN "_entity" DROP NOT NULL;
