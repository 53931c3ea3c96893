UPDATE "public"."book" SET "isbn" = '-' WHERE "isbn" IS NULL
;
DO $remodel$
DECLARE
  found record;
BEGIN
  SELECT * INTO found FROM (WITH offending AS MATERIALIZED (SELECT "_id" FROM "public"."book" WHERE "isbn" IS NULL) SELECT count(*) AS count, (SELECT string_agg(key, ', ') FROM (SELECT "_id"::text AS key FROM offending ORDER BY "_id" LIMIT 5) AS sample) AS keys FROM offending) AS question;
  IF found.count > 0 THEN
    RAISE EXCEPTION USING MESSAGE = 'the rows do not allow it: property "isbn" of entity "Book" becomes required, so every row has to have a value', HINT = 'Fill the rows before, or give the property a default.', ERRCODE = '23514',
      DETAIL = concat(found.count, ' in the way. Keys: ', found.keys);
  END IF;
END
$remodel$;
DO $remodel$
DECLARE
  found record;
BEGIN
  SELECT * INTO found FROM (WITH offending AS MATERIALIZED (SELECT "_id" FROM "public"."book" WHERE coalesce(pg_column_size("title"), 0) > 2696) SELECT count(*) AS count, (SELECT string_agg(key, ', ') FROM (SELECT "_id"::text AS key FROM offending ORDER BY "_id" LIMIT 5) AS sample) AS keys FROM offending) AS question;
  IF found.count > 0 THEN
    RAISE EXCEPTION USING MESSAGE = 'the rows do not allow it: an index takes values of up to 2696 bytes, so table "book" may have no longer ones in (title)', HINT = 'Shorten the values before, or leave the index away.', ERRCODE = '23514',
      DETAIL = concat(found.count, ' in the way. Keys: ', found.keys);
  END IF;
END
$remodel$;
ALTER TABLE "public"."book" RENAME COLUMN "title" TO "name";
ALTER TABLE "public"."book" ALTER COLUMN "isbn" SET NOT NULL;
CREATE INDEX "book_name_idx" ON "public"."book" ("name");
DO $remodel$
#variable_conflict use_column
DECLARE
  remodel_faults text;
BEGIN
  SELECT string_agg(remodel_sample.text, E'\n') INTO remodel_faults FROM (
    SELECT left(to_jsonb(remodel_fault)::text, 400) AS text FROM (
SELECT "name" FROM "public"."book" WHERE "isbn" = ''

    ) AS remodel_fault LIMIT 5
  ) AS remodel_sample;
  IF remodel_faults IS NOT NULL THEN
    RAISE EXCEPTION USING MESSAGE = 'the rows do not pass the validation of entity mapping "BookToBook"', DETAIL = remodel_faults, ERRCODE = '23514';
  END IF;
END
$remodel$;
UPDATE "public"."book" SET "name" = upper("name");
;
