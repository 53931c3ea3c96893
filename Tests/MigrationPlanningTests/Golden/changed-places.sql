-- lock: s.a ACCESS EXCLUSIVE
-- breaks-previous-release
ALTER TABLE "s"."a" RENAME COLUMN "x" TO "remodel_temporary_x";
-- breaks-previous-release
ALTER TABLE "s"."a" RENAME COLUMN "y" TO "x";
ALTER TABLE "s"."a" RENAME COLUMN "remodel_temporary_x" TO "y";
-- breaks-previous-release
ALTER TABLE "s"."a" RENAME CONSTRAINT "a_x_key" TO "remodel_temporary_a_x_key";
-- breaks-previous-release
ALTER TABLE "s"."a" RENAME CONSTRAINT "a_y_key" TO "a_x_key";
ALTER TABLE "s"."a" RENAME CONSTRAINT "remodel_temporary_a_x_key" TO "a_y_key";
ALTER INDEX "s"."a_x_idx" RENAME TO "remodel_temporary_a_x_idx";
ALTER INDEX "s"."a_y_idx" RENAME TO "a_x_idx";
ALTER INDEX "s"."remodel_temporary_a_x_idx" RENAME TO "a_y_idx";
