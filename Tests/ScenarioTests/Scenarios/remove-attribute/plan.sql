ALTER TABLE "public"."book"
  DROP CONSTRAINT "book_shelf_mark_key",
  DROP CONSTRAINT "book_owner_fkey",
  ALTER COLUMN "shelf_mark" DROP NOT NULL,
  ALTER COLUMN "owner" DROP NOT NULL;
