-- lock: s.author ACCESS EXCLUSIVE
-- breaks-previous-release
ALTER TABLE "s"."author" RENAME TO "writer";
ALTER TABLE "s"."writer" RENAME CONSTRAINT "author__id_not_null" TO "writer__id_not_null";
ALTER SEQUENCE "s"."author__id_seq" RENAME TO "writer__id_seq";
ALTER TABLE "s"."writer" RENAME CONSTRAINT "author_name_not_null" TO "writer_name_not_null";
ALTER TABLE "s"."writer" RENAME CONSTRAINT "author_pkey" TO "writer_pkey";
ALTER TABLE "s"."writer" RENAME CONSTRAINT "author_name_key" TO "writer_name_key";
