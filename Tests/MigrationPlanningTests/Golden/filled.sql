-- lock: s.a SHARE ROW EXCLUSIVE
-- scans-table
UPDATE "s"."a" SET "x" = 0 WHERE "x" IS NULL;
-- blocks-reads, blocks-writes, breaks-previous-release, scans-table
ALTER TABLE "s"."a"
  ALTER COLUMN "x" SET DEFAULT 0,
  ALTER COLUMN "x" SET NOT NULL;
