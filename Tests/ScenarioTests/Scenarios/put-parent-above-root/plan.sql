ALTER TABLE "public"."book" RENAME TO "item";
ALTER TABLE "public"."item" RENAME COLUMN "isbn" TO "book_isbn";
ALTER TABLE "public"."item" RENAME COLUMN "shelf" TO "book_shelf";
ALTER SEQUENCE "public"."book__id_seq" RENAME TO "item__id_seq";
ALTER TABLE "public"."item" RENAME CONSTRAINT "book_pkey" TO "item_pkey";
ALTER TABLE "public"."item" RENAME CONSTRAINT "book_shelf_fkey" TO "item_book_shelf_fkey";
ALTER INDEX "public"."book_shelf_idx" RENAME TO "item_book_shelf_idx";
ALTER TABLE "public"."item"
  ALTER COLUMN "title" SET DEFAULT 'untitled',
  ADD COLUMN "_entity" text DEFAULT 'Book' CONSTRAINT "item__entity_not_null" NOT NULL,
  ALTER COLUMN "_entity" SET DEFAULT NULL,
  DROP CONSTRAINT "book_isbn_key",
  ADD CONSTRAINT "item__entity_check" CHECK ("_entity" IN ('Book', 'Item'));
CREATE UNIQUE INDEX "item_book_isbn_idx" ON "public"."item" ("book_isbn") WHERE "_entity" IN ('Book');
