DROP INDEX "public"."book_title_idx";
ALTER TABLE "public"."book" ADD COLUMN "pages" integer;
CREATE INDEX "book_pages_title_idx" ON "public"."book" ("pages" DESC, "title");
