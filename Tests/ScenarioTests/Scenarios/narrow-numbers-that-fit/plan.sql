ALTER TABLE "public"."reading"
  ALTER COLUMN "count" TYPE smallint USING "count"::smallint,
  ALTER COLUMN "value" TYPE integer USING "value"::integer,
  ALTER COLUMN "amount" TYPE numeric(6,2) USING "amount"::numeric(6,2);
