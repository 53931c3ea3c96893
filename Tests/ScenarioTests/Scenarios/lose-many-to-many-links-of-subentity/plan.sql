ALTER TABLE "public"."b_ds" RENAME TO "remodel_retained_before_b_ds";
ALTER TABLE "public"."b_ds_ds_idx" RENAME TO "remodel_retained_before_b_ds_ds_idx";
ALTER TABLE "public"."b_ds_pkey" RENAME TO "remodel_retained_before_b_ds_pkey";
CREATE TABLE "public"."b_ds" (
  "b" bigint CONSTRAINT "b_ds_b_not_null" NOT NULL,
  "ds" bigint CONSTRAINT "b_ds_ds_not_null" NOT NULL,
  CONSTRAINT "b_ds_pkey" PRIMARY KEY ("b", "ds")
);
INSERT INTO "public"."b_ds" ("b", "ds") SELECT "b" AS owner, "ds" AS target FROM "public"."remodel_retained_before_b_ds" WHERE "b" IN (SELECT "_id" FROM "public"."a" WHERE "_entity" IN ('B'));
ALTER TABLE "public"."b_ds"
  ADD CONSTRAINT "b_ds_b_fkey" FOREIGN KEY ("b") REFERENCES "public"."a" ("_id") ON DELETE CASCADE DEFERRABLE INITIALLY IMMEDIATE,
  ADD CONSTRAINT "b_ds_ds_fkey" FOREIGN KEY ("ds") REFERENCES "public"."d" ("_id") ON DELETE CASCADE DEFERRABLE INITIALLY IMMEDIATE;
ALTER TABLE "public"."remodel_retained_before_b_ds"
  DROP CONSTRAINT "b_ds_b_fkey",
  DROP CONSTRAINT "b_ds_ds_fkey";
CREATE INDEX "b_ds_ds_idx" ON "public"."b_ds" ("ds");
