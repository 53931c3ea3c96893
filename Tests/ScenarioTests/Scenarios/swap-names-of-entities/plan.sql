ALTER TABLE "public"."left" RENAME TO "remodel_temporary_left";
ALTER TABLE "public"."right" RENAME TO "left";
ALTER TABLE "public"."remodel_temporary_left" RENAME TO "right";
ALTER SEQUENCE "public"."right__id_seq" RENAME TO "remodel_temporary_right__id_seq";
ALTER TABLE "public"."left" RENAME CONSTRAINT "right_pkey" TO "remodel_temporary_right_pkey";
ALTER TABLE "public"."left" RENAME CONSTRAINT "right_other_fkey" TO "left_other_fkey";
ALTER INDEX "public"."right_size_idx" RENAME TO "left_size_idx";
ALTER INDEX "public"."right_other_idx" RENAME TO "left_other_idx";
ALTER SEQUENCE "public"."left__id_seq" RENAME TO "right__id_seq";
ALTER SEQUENCE "public"."remodel_temporary_right__id_seq" RENAME TO "left__id_seq";
ALTER TABLE "public"."right" RENAME CONSTRAINT "left_pkey" TO "right_pkey";
ALTER TABLE "public"."left" RENAME CONSTRAINT "remodel_temporary_right_pkey" TO "left_pkey";
ALTER TABLE "public"."right" RENAME CONSTRAINT "left_name_key" TO "right_name_key";
ALTER TABLE "public"."right"
  ALTER COLUMN "size" DROP DEFAULT,
  ALTER COLUMN "size" TYPE integer USING "size"::integer,
  ALTER COLUMN "size" SET DEFAULT 2;
