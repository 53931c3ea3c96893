ALTER TABLE "public"."book"
  DROP CONSTRAINT "book_shelf_fkey",
  ADD CONSTRAINT "book_shelf_fkey" FOREIGN KEY ("shelf") REFERENCES "public"."shelf" ("_id") ON DELETE CASCADE DEFERRABLE INITIALLY IMMEDIATE;
CREATE FUNCTION "public"."book_shelf_cascade"() RETURNS trigger LANGUAGE plpgsql
  SET search_path = pg_catalog, pg_temp AS $remodel$
BEGIN
  DELETE FROM "public"."shelf" WHERE "_id" = OLD."shelf";
  RETURN NULL;
END
$remodel$;
CREATE TRIGGER "book_shelf_cascade" AFTER DELETE ON "public"."book"
  FOR EACH ROW EXECUTE FUNCTION "public"."book_shelf_cascade"();
