ALTER TABLE "public"."item" RENAME COLUMN "print_pages" TO "remodel_retained_before_print_pages";
ALTER TABLE "public"."item" ADD COLUMN "print_pages" integer;
UPDATE "public"."item" SET "print_pages" = "remodel_retained_before_print_pages" WHERE "_entity" IN ('Print');
ALTER TABLE "public"."item" ADD COLUMN "book_pages" integer;
UPDATE "public"."item" SET "book_pages" = "remodel_retained_before_print_pages" WHERE "_entity" IN ('Book');
