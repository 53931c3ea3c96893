ALTER TABLE "public"."order" RENAME COLUMN "amount" TO "total_cost";
ALTER TABLE "public"."order" ALTER COLUMN "total_cost" TYPE numeric(12,2) USING "total_cost"::numeric(12,2);
