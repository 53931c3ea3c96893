ALTER TABLE "public"."item" RENAME COLUMN "book_isbn" TO "novel_isbn";
ALTER TABLE "public"."item" DROP CONSTRAINT "item__entity_check";
UPDATE "public"."item" SET "_entity" = 'Novel' WHERE "_entity" IN ('Book');
ALTER TABLE "public"."item" ADD CONSTRAINT "item__entity_check" CHECK ("_entity" IN ('Film', 'Novel'));
