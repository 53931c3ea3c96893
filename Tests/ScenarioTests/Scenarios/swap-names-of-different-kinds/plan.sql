ALTER TABLE "public"."item" RENAME COLUMN "a" TO "remodel_temporary_a";
ALTER TABLE "public"."item" RENAME COLUMN "b" TO "a";
ALTER TABLE "public"."item" RENAME COLUMN "remodel_temporary_a" TO "b";
ALTER TABLE "public"."item" RENAME COLUMN "x" TO "remodel_temporary_x";
ALTER TABLE "public"."item" RENAME COLUMN "y" TO "x";
ALTER TABLE "public"."item" RENAME COLUMN "remodel_temporary_x" TO "y";
ALTER TABLE "public"."item" RENAME CONSTRAINT "item_x_key" TO "item_y_key";
ALTER TABLE "public"."item" RENAME CONSTRAINT "item_y_a_key" TO "item_x_b_key";
ALTER INDEX "public"."item_b_idx" RENAME TO "item_a_idx";
ALTER INDEX "public"."item_y_idx" RENAME TO "item_x_idx";
ALTER TABLE "public"."item"
  ALTER COLUMN "x" DROP DEFAULT,
  ALTER COLUMN "x" TYPE character varying(10) USING "x"::character varying(10),
  ALTER COLUMN "x" SET DEFAULT 'new',
  ALTER COLUMN "y" DROP DEFAULT,
  ALTER COLUMN "y" TYPE bigint USING "y"::bigint,
  ALTER COLUMN "y" SET DEFAULT 2,
  ALTER COLUMN "a" SET DEFAULT 'r',
  DROP CONSTRAINT "item_b_check",
  ADD CONSTRAINT "item_a_check" CHECK ("a" IN ('p', 'q', 'r'));
CREATE INDEX "item_y_x_idx" ON "public"."item" ("y", "x");
