DROP INDEX "public"."products_by_tags_idx";
DROP INDEX "public"."products_slug_idx";
ALTER TABLE "public"."categories" RENAME CONSTRAINT "pk_categories" TO "categories_primary";
ALTER TABLE "public"."product_label" RENAME CONSTRAINT "pk_product_label" TO "product_label_pkey";
ALTER TABLE "public"."product_label" RENAME CONSTRAINT "product_label_label_uid_fkey" TO "fk_label";
ALTER TABLE "public"."products" RENAME COLUMN "name" TO "title";
ALTER SEQUENCE "public"."product_numbers" RENAME TO "product_ids";
ALTER TABLE "public"."products" RENAME CONSTRAINT "pk_products" TO "products_pkey";
ALTER TABLE "public"."categories"
  ALTER COLUMN "title" SET DEFAULT upper('untitled'),
  ALTER COLUMN "created_at" SET DEFAULT clock_timestamp(),
  ADD COLUMN "changed_at" timestamp with time zone DEFAULT (TIMESTAMPTZ '2024-02-02 00:00:00+00') CONSTRAINT "categories_changed_at_not_null" NOT NULL,
  DROP CONSTRAINT "code_is_short",
  ADD CONSTRAINT "code_is_short" CHECK (length("code") < 20);
ALTER TABLE "public"."labels" ALTER COLUMN "uid" DROP DEFAULT;
ALTER TABLE "public"."product_label"
  ALTER CONSTRAINT "fk_label" DEFERRABLE INITIALLY IMMEDIATE,
  ALTER CONSTRAINT "product_label_product_id_fkey" DEFERRABLE INITIALLY IMMEDIATE;
ALTER TABLE "public"."products"
  ALTER COLUMN "price" SET DEFAULT 3,
  ADD COLUMN "short_slug" text GENERATED ALWAYS AS (left("title", 3)) STORED,
  ADD COLUMN "weight" real DEFAULT 1.5 CONSTRAINT "products_weight_not_null" NOT NULL;
CREATE SEQUENCE "public"."products_serial_number_seq" AS smallint;
ALTER TABLE "public"."products" ADD COLUMN "serial_number" smallint CONSTRAINT "products_serial_number_not_null" NOT NULL DEFAULT pg_catalog.nextval('"public"."products_serial_number_seq"'::pg_catalog.regclass);
ALTER SEQUENCE "public"."products_serial_number_seq" OWNED BY "public"."products"."serial_number";
ALTER TABLE "public"."products"
  DROP CONSTRAINT "name_not_empty",
  DROP CONSTRAINT "price_positive",
  DROP CONSTRAINT "fk_category",
  ADD CONSTRAINT "price_positive" CHECK ("price" > -1),
  ADD CONSTRAINT "weight_positive" CHECK ("weight" > 0),
  ADD CONSTRAINT "fk_of_category" FOREIGN KEY ("category_code") REFERENCES "public"."categories" ("code") ON DELETE CASCADE DEFERRABLE INITIALLY IMMEDIATE;
CREATE INDEX "ix_tags" ON "public"."products" USING gin ("tags") WHERE "price" > 0;
CREATE INDEX "products_by_title_idx" ON "public"."products" USING hash ("title");
CREATE INDEX "products_slug_idx" ON "public"."products" ("slug");
CREATE INDEX "products_category_code_idx" ON "public"."products" ("category_code");
