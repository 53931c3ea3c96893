CREATE TABLE "public"."house_residents" (
  "house" bigint CONSTRAINT "house_residents_house_not_null" NOT NULL,
  "residents" bigint CONSTRAINT "house_residents_residents_not_null" NOT NULL,
  CONSTRAINT "house_residents_pkey" PRIMARY KEY ("house", "residents")
);
INSERT INTO "public"."house_residents" ("house", "residents") SELECT "home" AS owner, "_id" AS target FROM "public"."person" WHERE "home" IS NOT NULL;
UPDATE "public"."person" AS moved SET "home" = link.target FROM (SELECT "owners" AS owner, "house" AS target FROM "public"."house_owners") AS link WHERE moved."_id" = link.owner AND moved."home" IS NULL;
ALTER TABLE "public"."house_owners"
  DROP CONSTRAINT "house_owners_house_fkey",
  DROP CONSTRAINT "house_owners_owners_fkey";
ALTER TABLE "public"."house_residents"
  ADD CONSTRAINT "house_residents_house_fkey" FOREIGN KEY ("house") REFERENCES "public"."house" ("_id") ON DELETE CASCADE DEFERRABLE INITIALLY IMMEDIATE,
  ADD CONSTRAINT "house_residents_residents_fkey" FOREIGN KEY ("residents") REFERENCES "public"."person" ("_id") ON DELETE CASCADE DEFERRABLE INITIALLY IMMEDIATE;
CREATE INDEX "house_residents_residents_idx" ON "public"."house_residents" ("residents");
