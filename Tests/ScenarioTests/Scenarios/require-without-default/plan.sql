ALTER TABLE "public"."book" ALTER COLUMN "title" SET NOT NULL;
