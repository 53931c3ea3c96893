ALTER TABLE "public"."tag" ADD COLUMN "m" text;
