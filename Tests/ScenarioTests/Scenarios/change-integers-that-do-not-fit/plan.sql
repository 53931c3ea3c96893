ALTER TABLE "public"."item"
  ALTER COLUMN "state" TYPE boolean USING "state"::integer::boolean,
  ALTER COLUMN "wide" TYPE boolean USING "wide"::integer::boolean,
  ALTER COLUMN "code" TYPE character varying(3) USING "code"::character varying(3),
  ALTER COLUMN "flags" TYPE boolean[] USING "flags"::integer[]::boolean[];
