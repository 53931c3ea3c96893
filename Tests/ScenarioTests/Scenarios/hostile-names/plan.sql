ALTER TABLE "public"."order" RENAME TO "user $remodel$";
ALTER TABLE "public"."user $remodel$" RENAME COLUMN "a_very_long_name_of_an_attribute_that_goes_on_and_on_u_e9d9b8ff" TO "a_very_long_name_of_an_attribute_that_goes_on_and_on_u_f6c4a8fd";
ALTER TABLE "public"."user $remodel$" RENAME COLUMN "naïve 😀" TO "😀😀😀😀😀😀😀😀😀😀😀😀😀_e1e2db96";
ALTER TABLE "public"."user $remodel$" RENAME COLUMN "select" TO "where";
ALTER SEQUENCE "public"."order__id_seq" RENAME TO "user $remodel$__id_seq";
ALTER TABLE "public"."user $remodel$" RENAME CONSTRAINT "order_pkey" TO "user $remodel$_pkey";
ALTER INDEX "public"."order_a_very_long_name_of_an_attribute_that_goes_on_and_on__idx" RENAME TO "user $remodel$_a_very_long_name_of_an_attribute_that_goes_o_idx";
ALTER TABLE "public"."user $remodel$"
  ALTER COLUMN "a ""quoted"" name; drop table x; --" SET DEFAULT '$$; ''',
  ADD COLUMN "group" bigint CONSTRAINT "user $remodel$_group_fkey" REFERENCES "public"."user $remodel$" ("_id") ON DELETE SET NULL DEFERRABLE INITIALLY IMMEDIATE;
CREATE INDEX "user $remodel$_group_idx" ON "public"."user $remodel$" ("group");
CREATE FUNCTION "public"."user $remodel$_group_cascade"() RETURNS trigger LANGUAGE plpgsql
  SET search_path = pg_catalog, pg_temp AS $remodel_$
BEGIN
  DELETE FROM "public"."user $remodel$" WHERE "_id" = OLD."group";
  RETURN NULL;
END
$remodel_$;
CREATE TRIGGER "user $remodel$_group_cascade" AFTER DELETE ON "public"."user $remodel$"
  FOR EACH ROW EXECUTE FUNCTION "public"."user $remodel$_group_cascade"();
