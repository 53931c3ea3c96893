-- lock: s.author ACCESS EXCLUSIVE
-- breaks-previous-release
ALTER TABLE "s"."author" RENAME TO "writer";
ALTER SEQUENCE "s"."author__id_seq" RENAME TO "writer__id_seq";
ALTER TABLE "s"."writer" RENAME CONSTRAINT "author_pkey" TO "writer_pkey";
ALTER TABLE "s"."writer" RENAME CONSTRAINT "author_name_key" TO "writer_name_key";
