ALTER INDEX "public"."person_email_idx" RENAME TO "liveEmail";
ALTER TABLE "public"."group_members"
  ALTER CONSTRAINT "group_members_groups_fkey" NOT DEFERRABLE,
  ALTER CONSTRAINT "group_members_members_fkey" NOT DEFERRABLE;
ALTER TABLE "public"."passport" ALTER CONSTRAINT "passport_holder_fkey" NOT DEFERRABLE;
ALTER TABLE "public"."person" ALTER CONSTRAINT "person_parent_fkey" NOT DEFERRABLE;
