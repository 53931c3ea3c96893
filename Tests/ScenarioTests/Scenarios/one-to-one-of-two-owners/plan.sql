ALTER TABLE "public"."pass" ADD COLUMN "holder" bigint;
UPDATE "public"."pass" AS moved SET "holder" = link.target FROM (SELECT "pass" AS owner, "_id" AS target FROM "public"."person" WHERE "pass" IS NOT NULL) AS link WHERE moved."_id" = link.owner;
ALTER TABLE "public"."pass"
  ADD CONSTRAINT "pass_holder_key" UNIQUE ("holder"),
  ADD CONSTRAINT "pass_holder_fkey" FOREIGN KEY ("holder") REFERENCES "public"."person" ("_id") ON DELETE SET NULL DEFERRABLE INITIALLY IMMEDIATE;
ALTER TABLE "public"."person" DROP CONSTRAINT "person_pass_fkey";
