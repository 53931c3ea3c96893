-- ask: property "title" of entity "Book" becomes required, so every row has to have a value
WITH offending AS MATERIALIZED (SELECT "_id" FROM "s"."book" WHERE "title" IS NULL) SELECT count(*) AS count, (SELECT string_agg(key, ', ') FROM (SELECT "_id"::text AS key FROM offending ORDER BY "_id" LIMIT 5) AS sample) AS keys FROM offending;
-- ask: (title) of entity "Book" becomes unique, so no two rows may agree in it
WITH offending AS MATERIALIZED (SELECT "_id" FROM (SELECT "_id", count(*) OVER (PARTITION BY "title") AS n FROM "s"."book" WHERE "title" IS NOT NULL) AS counted WHERE n > 1) SELECT count(*) AS count, (SELECT string_agg(key, ', ') FROM (SELECT "_id"::text AS key FROM offending ORDER BY "_id" LIMIT 5) AS sample) AS keys FROM offending;
-- ask: an index takes values of up to 2696 bytes, so table "book" may have no longer ones in (title)
WITH offending AS MATERIALIZED (SELECT "_id" FROM "s"."book" WHERE coalesce(pg_column_size("title"), 0) > 2696) SELECT count(*) AS count, (SELECT string_agg(key, ', ') FROM (SELECT "_id"::text AS key FROM offending ORDER BY "_id" LIMIT 5) AS sample) AS keys FROM offending;
-- lock: s.book ACCESS EXCLUSIVE
-- blocks-reads, blocks-writes, breaks-previous-release, fails-on-data, rewrites-table, scans-table
ALTER TABLE "s"."book"
  ALTER COLUMN "pages" TYPE integer USING "pages"::integer,
  ALTER COLUMN "pages" SET DEFAULT 1,
  ALTER COLUMN "title" SET NOT NULL,
  ADD COLUMN "year" integer,
  ADD CONSTRAINT "book_title_key" UNIQUE ("title"),
  ALTER COLUMN "isbn" DROP NOT NULL;
-- retained: book.isbn, restored by: ["ALTER COLUMN \"isbn\" SET NOT NULL"]
