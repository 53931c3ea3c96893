CREATE TABLE "public"."book_shelf" (
  "books" bigint CONSTRAINT "book_shelf_books_not_null" NOT NULL,
  "shelf" bigint CONSTRAINT "book_shelf_shelf_not_null" NOT NULL,
  CONSTRAINT "book_shelf_pkey" PRIMARY KEY ("books", "shelf")
);
INSERT INTO "public"."book_shelf" ("books", "shelf") SELECT "_id" AS owner, "shelf" AS target FROM "public"."book" WHERE "shelf" IS NOT NULL;
ALTER TABLE "public"."book" DROP CONSTRAINT "book_shelf_fkey";
ALTER TABLE "public"."book_shelf"
  ADD CONSTRAINT "book_shelf_books_fkey" FOREIGN KEY ("books") REFERENCES "public"."book" ("_id") ON DELETE CASCADE DEFERRABLE INITIALLY IMMEDIATE,
  ADD CONSTRAINT "book_shelf_shelf_fkey" FOREIGN KEY ("shelf") REFERENCES "public"."shelf" ("_id") ON DELETE CASCADE DEFERRABLE INITIALLY IMMEDIATE;
CREATE INDEX "book_shelf_shelf_idx" ON "public"."book_shelf" ("shelf");
CREATE FUNCTION "public"."book_shelf_books_cascade"() RETURNS trigger LANGUAGE plpgsql
  SET search_path = pg_catalog, pg_temp AS $remodel$
BEGIN
  IF NOT EXISTS (SELECT FROM "public"."shelf" WHERE "_id" = OLD."shelf") THEN
    DELETE FROM "public"."book" WHERE "_id" = OLD."books";
  END IF;
  RETURN NULL;
END
$remodel$;
CREATE TRIGGER "book_shelf_books_cascade" AFTER DELETE ON "public"."book_shelf"
  FOR EACH ROW EXECUTE FUNCTION "public"."book_shelf_books_cascade"();
