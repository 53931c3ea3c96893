ALTER TABLE "public"."book" ADD CONSTRAINT "book_title_key" UNIQUE ("title");
