CREATE TABLE "public"."author_works" (
  "author" bigint CONSTRAINT "author_works_author_not_null" NOT NULL,
  "works" bigint CONSTRAINT "author_works_works_not_null" NOT NULL,
  CONSTRAINT "author_works_pkey" PRIMARY KEY ("author", "works")
);
INSERT INTO "public"."author_works" ("author", "works") SELECT "author" AS owner, "_id" AS target FROM "public"."book" WHERE "author" IS NOT NULL;
ALTER TABLE "public"."author_works"
  ADD CONSTRAINT "author_works_author_fkey" FOREIGN KEY ("author") REFERENCES "public"."author" ("_id") ON DELETE CASCADE DEFERRABLE INITIALLY IMMEDIATE,
  ADD CONSTRAINT "author_works_works_fkey" FOREIGN KEY ("works") REFERENCES "public"."book" ("_id") ON DELETE CASCADE DEFERRABLE INITIALLY IMMEDIATE;
CREATE INDEX "author_works_works_idx" ON "public"."author_works" ("works");
