CREATE TABLE "public"."book_author" (
  "book" bigint CONSTRAINT "book_author_book_not_null" NOT NULL,
  "author" bigint CONSTRAINT "book_author_author_not_null" NOT NULL,
  CONSTRAINT "book_author_pkey" PRIMARY KEY ("book", "author")
);
INSERT INTO "public"."book_author" ("book", "author") SELECT "_id" AS owner, "author" AS target FROM "public"."book" WHERE "author" IS NOT NULL;
ALTER TABLE "public"."book" DROP CONSTRAINT "book_author_fkey";
ALTER TABLE "public"."book_author"
  ADD CONSTRAINT "book_author_book_fkey" FOREIGN KEY ("book") REFERENCES "public"."book" ("_id") ON DELETE CASCADE DEFERRABLE INITIALLY IMMEDIATE,
  ADD CONSTRAINT "book_author_author_fkey" FOREIGN KEY ("author") REFERENCES "public"."author" ("_id") ON DELETE CASCADE DEFERRABLE INITIALLY IMMEDIATE;
CREATE INDEX "book_author_author_idx" ON "public"."book_author" ("author");
