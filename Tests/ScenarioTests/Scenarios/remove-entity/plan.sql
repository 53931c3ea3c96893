DROP TRIGGER "loan_book_cascade" ON "public"."loan";
DROP FUNCTION "public"."loan_book_cascade"();
ALTER TABLE "public"."loan"
  DROP CONSTRAINT "loan_book_fkey",
  ALTER COLUMN "day" DROP NOT NULL,
  ALTER COLUMN "book" DROP NOT NULL;
