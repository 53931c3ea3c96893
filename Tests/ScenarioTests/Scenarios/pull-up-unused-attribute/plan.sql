ALTER TABLE "public"."r" RENAME COLUMN "a1_x" TO "x";
ALTER TABLE "public"."r" RENAME COLUMN "t" TO "remodel_retained_before_t";
ALTER TABLE "public"."r"
  ADD COLUMN "t" text,
  DROP CONSTRAINT "r__entity_check",
  ADD CONSTRAINT "r__entity_check" CHECK ("_entity" IN ('N'));
