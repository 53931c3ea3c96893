ALTER TABLE "public"."item" RENAME TO "book";
ALTER TABLE "public"."book" RENAME COLUMN "book_isbn" TO "isbn";
ALTER SEQUENCE "public"."item__id_seq" RENAME TO "book__id_seq";
ALTER TABLE "public"."book" RENAME CONSTRAINT "item_pkey" TO "book_pkey";
ALTER TABLE "public"."book"
  DROP CONSTRAINT "item__entity_check",
  ALTER COLUMN "_entity" DROP NOT NULL;
