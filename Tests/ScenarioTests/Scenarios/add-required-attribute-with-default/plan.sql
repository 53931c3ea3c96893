ALTER TABLE "public"."book"
  ADD COLUMN "copies" smallint DEFAULT 1 CONSTRAINT "book_copies_not_null" NOT NULL,
  ADD COLUMN "added" timestamp with time zone DEFAULT '2021-01-01 00:00:00+00' CONSTRAINT "book_added_not_null" NOT NULL;
