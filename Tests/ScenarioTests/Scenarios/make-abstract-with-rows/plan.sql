ALTER TABLE "public"."item"
  DROP CONSTRAINT "item__entity_check",
  ADD CONSTRAINT "item__entity_check" CHECK ("_entity" IN ('Book'));
