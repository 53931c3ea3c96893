ALTER TABLE "public"."item" RENAME COLUMN "book_isbn" TO "isbn";
