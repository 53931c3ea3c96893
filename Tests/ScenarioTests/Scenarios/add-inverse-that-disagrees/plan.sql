UPDATE "public"."book" AS moved SET "author" = link.target FROM (SELECT "works" AS owner, "author" AS target FROM "public"."author_works") AS link WHERE moved."_id" = link.owner AND moved."author" IS NULL;
ALTER TABLE "public"."author_works"
  DROP CONSTRAINT "author_works_author_fkey",
  DROP CONSTRAINT "author_works_works_fkey";
