ALTER TABLE "public"."shop" RENAME COLUMN "address_place_y" TO "address_place_latitude";
ALTER TABLE "public"."shop" RENAME COLUMN "address_town" TO "address_city";
ALTER TABLE "public"."shop" RENAME COLUMN "branch_place_y" TO "branch_place_latitude";
ALTER TABLE "public"."shop" RENAME COLUMN "branch_town" TO "branch_city";
ALTER TABLE "public"."shop"
  ALTER COLUMN "address_zip" TYPE integer USING "address_zip"::integer,
  ALTER COLUMN "address_place_x" TYPE double precision USING "address_place_x"::double precision,
  ALTER COLUMN "branch_street" SET NOT NULL,
  ALTER COLUMN "branch_city" SET NOT NULL,
  ALTER COLUMN "branch_zip" TYPE integer USING "branch_zip"::integer,
  ALTER COLUMN "branch_zip" SET NOT NULL,
  ALTER COLUMN "branch_place_x" TYPE double precision USING "branch_place_x"::double precision,
  ALTER COLUMN "branch_place_x" SET NOT NULL,
  ALTER COLUMN "branch_place_latitude" SET NOT NULL,
  ALTER COLUMN "label_text" TYPE character varying(5) USING "label_text"::character varying(5),
  ADD COLUMN "address_country" text DEFAULT 'CH' CONSTRAINT "shop_address_country_not_null" NOT NULL,
  ADD COLUMN "address_state" text,
  ADD COLUMN "branch_country" text DEFAULT 'CH' CONSTRAINT "shop_branch_country_not_null" NOT NULL,
  ADD COLUMN "branch_state" text,
  ADD COLUMN "label_size" smallint,
  DROP CONSTRAINT "shop_label_kind_check",
  ADD CONSTRAINT "shop_label_kind_check" CHECK ("label_kind" IN ('a'));
