ALTER TABLE "public"."r" RENAME COLUMN "a1_x" TO "x";
ALTER TABLE "public"."r"
  DROP CONSTRAINT "r__entity_check",
  ADD CONSTRAINT "r__entity_check" CHECK ("_entity" IN ('N'));
