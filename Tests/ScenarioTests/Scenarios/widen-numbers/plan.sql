ALTER TABLE "public"."reading"
  ALTER COLUMN "count" DROP DEFAULT,
  ALTER COLUMN "count" TYPE bigint USING "count"::bigint,
  ALTER COLUMN "count" SET DEFAULT 3,
  ALTER COLUMN "value" TYPE double precision USING "value"::double precision,
  ALTER COLUMN "amount" TYPE numeric USING "amount"::numeric,
  ALTER COLUMN "flag" TYPE smallint USING "flag"::integer::smallint,
  ALTER COLUMN "code" TYPE text USING "code"::text;
