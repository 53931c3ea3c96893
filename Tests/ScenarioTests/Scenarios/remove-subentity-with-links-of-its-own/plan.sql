CREATE TABLE "public"."remodel_retained_before_folder" AS SELECT * FROM "public"."node" WHERE "_entity" IN ('Folder');
CREATE TABLE "public"."remodel_retained_before_node_parent" AS SELECT "_id", "parent" FROM "public"."node" WHERE "parent" IN (SELECT "_id" FROM "public"."node" WHERE "_entity" IN ('Folder'));
UPDATE "public"."node" SET "parent" = NULL WHERE "parent" IN (SELECT "_id" FROM "public"."node" WHERE "_entity" IN ('Folder'));
DELETE FROM "public"."node" WHERE "_entity" IN ('Folder');
ALTER TABLE "public"."node"
  DROP CONSTRAINT "node__entity_check",
  ALTER COLUMN "_entity" DROP NOT NULL;
