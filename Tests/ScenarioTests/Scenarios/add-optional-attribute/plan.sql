ALTER TABLE "public"."book" ADD COLUMN "pages" integer;
