CREATE TABLE "public"."person_manager" (
  "reports" bigint CONSTRAINT "person_manager_reports_not_null" NOT NULL,
  "manager" bigint CONSTRAINT "person_manager_manager_not_null" NOT NULL,
  "_reports_position" integer CONSTRAINT "person_manager__reports_position_not_null" NOT NULL,
  CONSTRAINT "person_manager_pkey" PRIMARY KEY ("reports", "manager")
);
INSERT INTO "public"."person_manager" ("reports", "manager", "_reports_position") SELECT link.owner, link.target, row_number() OVER (PARTITION BY link."target" ORDER BY link."owner_position", link."owner") - 1 FROM (SELECT "_id" AS owner, "manager" AS target, "_reports_position" AS "owner_position" FROM "public"."person" WHERE "manager" IS NOT NULL) AS link;
ALTER TABLE "public"."person" DROP CONSTRAINT "person_manager_fkey";
ALTER TABLE "public"."person_manager"
  ADD CONSTRAINT "person_manager_reports_fkey" FOREIGN KEY ("reports") REFERENCES "public"."person" ("_id") ON DELETE CASCADE DEFERRABLE INITIALLY IMMEDIATE,
  ADD CONSTRAINT "person_manager_manager_fkey" FOREIGN KEY ("manager") REFERENCES "public"."person" ("_id") ON DELETE CASCADE DEFERRABLE INITIALLY IMMEDIATE;
CREATE INDEX "person_manager_manager_idx" ON "public"."person_manager" ("manager");
