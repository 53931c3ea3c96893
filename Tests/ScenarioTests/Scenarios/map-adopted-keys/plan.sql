CREATE SCHEMA "remodel_staging";
CREATE TABLE "remodel_staging"."categories" (
  "code" text CONSTRAINT "categories_code_not_null" NOT NULL,
  "title" text CONSTRAINT "categories_title_not_null" NOT NULL,
  "shout" text CONSTRAINT "categories_shout_not_null" NOT NULL
);
CREATE TABLE "remodel_staging"."labels" (
  "uid" uuid DEFAULT gen_random_uuid() CONSTRAINT "labels_uid_not_null" NOT NULL,
  "text" text CONSTRAINT "labels_text_not_null" NOT NULL
);
CREATE TABLE "remodel_staging"."makers" (
  "maker_id" integer CONSTRAINT "makers_maker_id_not_null" NOT NULL GENERATED ALWAYS AS IDENTITY (SEQUENCE NAME "remodel_staging"."makers_maker_id_seq"),
  "name" text CONSTRAINT "makers_name_not_null" NOT NULL
);
CREATE SEQUENCE "remodel_staging"."products_id_seq" AS integer;
CREATE TABLE "remodel_staging"."products" (
  "id" integer CONSTRAINT "products_id_not_null" NOT NULL DEFAULT pg_catalog.nextval('"remodel_staging"."products_id_seq"'::pg_catalog.regclass),
  "name" text CONSTRAINT "products_name_not_null" NOT NULL,
  "added_at" text DEFAULT 'today' CONSTRAINT "products_added_at_not_null" NOT NULL,
  "category" text CONSTRAINT "products_category_not_null" NOT NULL,
  "maker" integer
);
ALTER SEQUENCE "remodel_staging"."products_id_seq" OWNED BY "remodel_staging"."products"."id";
CREATE TABLE "remodel_staging"."keys_1_product_to_maker" ("key_1" text, "dst" integer NOT NULL PRIMARY KEY, UNIQUE NULLS NOT DISTINCT ("key_1"));
CREATE TABLE "remodel_staging"."map_1_product_to_maker" ("src" integer NOT NULL PRIMARY KEY, "dst" integer NOT NULL);
CREATE INDEX ON "remodel_staging"."map_1_product_to_maker" ("dst");
INSERT INTO "remodel_staging"."keys_1_product_to_maker" ("key_1", "dst") SELECT "key_1", pg_catalog.nextval('"remodel_staging"."makers_maker_id_seq"') FROM (SELECT DISTINCT "source"."maker" AS "key_1" FROM "public"."products" AS "source" WHERE true AND ("source"."maker" IS NOT NULL)) AS found ON CONFLICT ("key_1") DO NOTHING;
INSERT INTO "remodel_staging"."map_1_product_to_maker" ("src", "dst") SELECT found.src, known."dst" FROM (SELECT "source"."id" AS src, "source"."maker" AS "key_1" FROM "public"."products" AS "source" WHERE true AND ("source"."maker" IS NOT NULL)) AS found JOIN "remodel_staging"."keys_1_product_to_maker" AS known ON known."key_1" = found."key_1" ON CONFLICT DO NOTHING;
INSERT INTO "remodel_staging"."map_1_product_to_maker" ("src", "dst") SELECT found.src, known."dst" FROM (SELECT "source"."id" AS src, "source"."maker" AS "key_1" FROM "public"."products" AS "source" WHERE true AND ("source"."maker" IS NOT NULL)) AS found JOIN "remodel_staging"."keys_1_product_to_maker" AS known ON known."key_1" IS NOT DISTINCT FROM found."key_1" WHERE found."key_1" IS NULL ON CONFLICT DO NOTHING;
ANALYZE "remodel_staging"."map_1_product_to_maker";
INSERT INTO "remodel_staging"."categories" ("code", "title", "shout")
SELECT "source"."code", "source"."title", upper("source"."title")
  FROM "public"."categories" AS "source";
INSERT INTO "remodel_staging"."labels" ("uid", "text")
SELECT "source"."uid", lower("source"."text")
  FROM "public"."labels" AS "source";
INSERT INTO "remodel_staging"."makers" ("maker_id", "name") OVERRIDING SYSTEM VALUE
SELECT DISTINCT ON ("map"."dst") "map"."dst", "source"."maker"
  FROM "remodel_staging"."map_1_product_to_maker" AS "map" JOIN "public"."products" AS "source" ON "source"."id" = "map"."src"
  WHERE ("source"."maker" IS NOT NULL)
  ORDER BY "map"."dst", "source"."id" ASC NULLS FIRST;
INSERT INTO "remodel_staging"."products" ("id", "name", "added_at", "category", "maker")
SELECT "source"."id", upper("source"."name"), ('today'), "source"."category", (SELECT known."dst" FROM "remodel_staging"."map_1_product_to_maker" AS known WHERE known."src" = "source"."id")
  FROM "public"."products" AS "source";
ALTER TABLE "remodel_staging"."categories"
  ADD CONSTRAINT "categories_pkey" PRIMARY KEY ("code");
ALTER TABLE "remodel_staging"."labels"
  ADD CONSTRAINT "labels_pkey" PRIMARY KEY ("uid");
ALTER TABLE "remodel_staging"."makers"
  ADD CONSTRAINT "makers_pkey" PRIMARY KEY ("maker_id");
ALTER TABLE "remodel_staging"."products"
  ADD CONSTRAINT "products_pkey" PRIMARY KEY ("id");
ALTER TABLE "remodel_staging"."makers"
  ADD CONSTRAINT "makers_name_key" UNIQUE ("name");
CREATE INDEX "products_category_idx" ON "remodel_staging"."products" ("category");
CREATE INDEX "products_maker_idx" ON "remodel_staging"."products" ("maker");
ANALYZE "remodel_staging"."categories";
ANALYZE "remodel_staging"."labels";
ANALYZE "remodel_staging"."makers";
ANALYZE "remodel_staging"."products";
ALTER TABLE "remodel_staging"."products"
  ADD CONSTRAINT "products_category_fkey" FOREIGN KEY ("category") REFERENCES "remodel_staging"."categories" ("code") DEFERRABLE INITIALLY IMMEDIATE;
ALTER TABLE "remodel_staging"."products"
  ADD CONSTRAINT "products_maker_fkey" FOREIGN KEY ("maker") REFERENCES "remodel_staging"."makers" ("maker_id") ON DELETE SET NULL DEFERRABLE INITIALLY IMMEDIATE;
ALTER TABLE "public"."categories" RENAME TO "remodel_retained_before_categories";
ALTER TABLE "public"."labels" RENAME TO "remodel_retained_before_labels";
ALTER TABLE "public"."products" RENAME TO "remodel_retained_before_products";
ALTER TABLE "public"."categories_pkey" RENAME TO "remodel_retained_before_categories_pkey";
ALTER TABLE "public"."labels_pkey" RENAME TO "remodel_retained_before_labels_pkey";
ALTER TABLE "public"."products_category_idx" RENAME TO "remodel_retained_before_products_category_idx";
ALTER TABLE "public"."products_pkey" RENAME TO "remodel_retained_before_products_pkey";
ALTER TABLE "public"."products_id_seq" RENAME TO "remodel_retained_before_products_id_seq";
ALTER TABLE "remodel_staging"."categories" SET SCHEMA "public";
ALTER TABLE "remodel_staging"."labels" SET SCHEMA "public";
ALTER TABLE "remodel_staging"."makers" SET SCHEMA "public";
SELECT pg_catalog.setval('"public"."makers_maker_id_seq"', greatest(greatest((SELECT max("maker_id") FROM "public"."makers"), (SELECT last_value FROM "public"."makers_maker_id_seq" WHERE is_called), 0), 1), greatest((SELECT max("maker_id") FROM "public"."makers"), (SELECT last_value FROM "public"."makers_maker_id_seq" WHERE is_called), 0) >= 1);
ALTER TABLE "remodel_staging"."products" SET SCHEMA "public";
SELECT pg_catalog.setval('"public"."products_id_seq"', greatest(greatest((SELECT max("id") FROM "public"."products"), (SELECT last_value FROM "public"."products_id_seq" WHERE is_called), (SELECT last_value FROM "public"."remodel_retained_before_products_id_seq" WHERE is_called), 0), 1), greatest((SELECT max("id") FROM "public"."products"), (SELECT last_value FROM "public"."products_id_seq" WHERE is_called), (SELECT last_value FROM "public"."remodel_retained_before_products_id_seq" WHERE is_called), 0) >= 1);
ALTER TABLE "public"."product_label"
  DROP CONSTRAINT "product_label_label_uid_fkey",
  DROP CONSTRAINT "product_label_product_id_fkey",
  ADD CONSTRAINT "product_label_label_uid_fkey" FOREIGN KEY ("label_uid") REFERENCES "public"."labels" ("uid") ON DELETE CASCADE DEFERRABLE INITIALLY IMMEDIATE,
  ADD CONSTRAINT "product_label_product_id_fkey" FOREIGN KEY ("product_id") REFERENCES "public"."products" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY IMMEDIATE;
ALTER TABLE "public"."remodel_retained_before_categories" ALTER COLUMN "title" DROP NOT NULL;
ALTER TABLE "public"."remodel_retained_before_labels" ALTER COLUMN "text" DROP NOT NULL;
ALTER TABLE "public"."remodel_retained_before_products"
  DROP CONSTRAINT "products_category_fkey",
  ALTER COLUMN "name" DROP NOT NULL,
  ALTER COLUMN "category" DROP NOT NULL;
DROP SCHEMA "remodel_staging" CASCADE;
