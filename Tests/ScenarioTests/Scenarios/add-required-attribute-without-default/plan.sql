ALTER TABLE "public"."book" ADD COLUMN "isbn" text CONSTRAINT "book_isbn_not_null" NOT NULL;
