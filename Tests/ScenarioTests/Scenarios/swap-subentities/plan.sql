ALTER TABLE "public"."item" RENAME COLUMN "book_isbn" TO "film_isbn";
ALTER TABLE "public"."item" RENAME COLUMN "film_minutes" TO "book_minutes";
UPDATE "public"."item" SET "_entity" = CASE "_entity" WHEN 'Book' THEN 'Film' WHEN 'Film' THEN 'Book' ELSE "_entity" END WHERE "_entity" IN ('Book', 'Film');
