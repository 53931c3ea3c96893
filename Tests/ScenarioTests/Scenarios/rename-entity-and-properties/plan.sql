DROP TRIGGER "book_writer_cascade" ON "public"."book";
DROP FUNCTION "public"."book_writer_cascade"();
ALTER TABLE "public"."writer" RENAME TO "author";
ALTER TABLE "public"."author" RENAME COLUMN "born" TO "birthday";
ALTER TABLE "public"."author" RENAME COLUMN "name" TO "full_name";
ALTER SEQUENCE "public"."writer__id_seq" RENAME TO "author__id_seq";
ALTER TABLE "public"."author" RENAME CONSTRAINT "writer_pkey" TO "author_pkey";
ALTER TABLE "public"."author" RENAME CONSTRAINT "writer_name_key" TO "author_full_name_key";
ALTER INDEX "public"."writer_born_idx" RENAME TO "author_birthday_idx";
ALTER TABLE "public"."book" RENAME COLUMN "writer" TO "author";
ALTER TABLE "public"."book" RENAME CONSTRAINT "book_writer_fkey" TO "book_author_fkey";
ALTER INDEX "public"."book_writer_idx" RENAME TO "book_author_idx";
CREATE FUNCTION "public"."book_author_cascade"() RETURNS trigger LANGUAGE plpgsql
  SET search_path = pg_catalog, pg_temp AS $remodel$
BEGIN
  DELETE FROM "public"."author" WHERE "_id" = OLD."author";
  RETURN NULL;
END
$remodel$;
CREATE TRIGGER "book_author_cascade" AFTER DELETE ON "public"."book"
  FOR EACH ROW EXECUTE FUNCTION "public"."book_author_cascade"();
