UPDATE "public"."book" SET "price" = 0 WHERE "price" IS NULL;
ALTER TABLE "public"."book"
  ALTER COLUMN "price" SET DEFAULT 0,
  ALTER COLUMN "price" SET NOT NULL;
