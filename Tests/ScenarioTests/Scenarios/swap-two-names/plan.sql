ALTER TABLE "public"."point" RENAME COLUMN "x" TO "remodel_temporary_x";
ALTER TABLE "public"."point" RENAME COLUMN "y" TO "x";
ALTER TABLE "public"."point" RENAME COLUMN "remodel_temporary_x" TO "y";
