-- lock: s.a ACCESS EXCLUSIVE
-- breaks-previous-release
ALTER TABLE "s"."a"
  DROP CONSTRAINT "a_x_key",
  ALTER COLUMN "x" DROP NOT NULL;
-- retained: a.x, restored by: ["ALTER COLUMN \"x\" SET NOT NULL", "ADD CONSTRAINT \"a_x_key\" UNIQUE (\"x\")"]

-- lock: s.a ACCESS EXCLUSIVE
ALTER TABLE "s"."a_x_idx" RENAME TO "remodel_retained_1_a_x_idx";
ALTER TABLE "s"."a" RENAME COLUMN "x" TO "remodel_retained_1_x";
ALTER TABLE "s"."a" ADD COLUMN "x" uuid;
-- blocks-writes, scans-table
CREATE INDEX "a_x_idx" ON "s"."a" ("x");
-- renamed: a.x to a.remodel_retained_1_x
