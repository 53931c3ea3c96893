ALTER TABLE "public"."series"
  ALTER COLUMN "values" DROP DEFAULT,
  ALTER COLUMN "values" TYPE bigint[] USING "values"::bigint[],
  ALTER COLUMN "values" SET DEFAULT '{2}',
  ALTER COLUMN "tags" TYPE character varying(5)[] USING "tags"::character varying(5)[],
  ALTER COLUMN "flags" TYPE smallint[] USING "flags"::integer[]::smallint[],
  ALTER COLUMN "scores" TYPE real[] USING "scores"::real[];
