ALTER TABLE "public"."item"
  ALTER COLUMN "small" DROP DEFAULT,
  ALTER COLUMN "small" TYPE text USING "small"::text,
  ALTER COLUMN "small" SET DEFAULT '3',
  ALTER COLUMN "number" TYPE text USING "number"::text,
  ALTER COLUMN "big" TYPE text USING "big"::text,
  ALTER COLUMN "code" TYPE character varying(4) USING "code"::character varying(4),
  ALTER COLUMN "state" TYPE boolean USING "state"::integer::boolean,
  ALTER COLUMN "state" SET DEFAULT true,
  ALTER COLUMN "wide" TYPE boolean USING "wide"::integer::boolean,
  ALTER COLUMN "all" TYPE text[] USING "all"::text[],
  ALTER COLUMN "flags" TYPE boolean[] USING "flags"::integer[]::boolean[],
  ADD CONSTRAINT "item_number_check" CHECK (char_length("number") <= 11);
