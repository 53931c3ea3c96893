CREATE SCHEMA "remodel_staging";
CREATE TABLE "remodel_staging"."course_students" (
  "courses" bigint CONSTRAINT "course_students_courses_not_null" NOT NULL,
  "students" bigint CONSTRAINT "course_students_students_not_null" NOT NULL,
  "_courses_position" integer
);
INSERT INTO "remodel_staging"."course_students" ("courses", "students", "_courses_position")
SELECT links.owner, links.target, coalesce(links.owner_position, 2147483647)
  FROM (SELECT owner, target, min(target_position) AS target_position, min(owner_position) AS owner_position FROM (SELECT "source"."_id" AS owner, link.target AS target, link.target_position, link.owner_position FROM "public"."course" AS "source" CROSS JOIN LATERAL (SELECT way.target, NULL::integer AS target_position, NULL::integer AS owner_position FROM (SELECT "remodel_2"."_id" FROM "public"."enrolment" AS "remodel_1", "public"."student" AS "remodel_2" WHERE "remodel_1"."course" = "source"."_id" AND "remodel_2"."_id" = "remodel_1"."student") AS way (target)) AS link) AS found WHERE target IS NOT NULL GROUP BY owner, target) AS links;
ALTER TABLE "remodel_staging"."course_students"
  ADD CONSTRAINT "course_students_pkey" PRIMARY KEY ("courses", "students");
CREATE INDEX "course_students_students_idx" ON "remodel_staging"."course_students" ("students");
ANALYZE "remodel_staging"."course_students";
ALTER TABLE "remodel_staging"."course_students" SET SCHEMA "public";
UPDATE "public"."course_students" AS moved SET "_courses_position" = numbered.place FROM (SELECT "students", "courses", row_number() OVER (PARTITION BY "students" ORDER BY "_courses_position", "courses") - 1 FROM "public"."course_students") AS numbered ("key_1", "key_2", place) WHERE moved."students" = numbered."key_1" AND moved."courses" = numbered."key_2";
ALTER TABLE "public"."course_students"
  ALTER COLUMN "_courses_position" SET NOT NULL,
  ADD CONSTRAINT "course_students_courses_fkey" FOREIGN KEY ("courses") REFERENCES "public"."course" ("_id") ON DELETE CASCADE DEFERRABLE INITIALLY IMMEDIATE,
  ADD CONSTRAINT "course_students_students_fkey" FOREIGN KEY ("students") REFERENCES "public"."student" ("_id") ON DELETE CASCADE DEFERRABLE INITIALLY IMMEDIATE;
ALTER TABLE "public"."enrolment"
  DROP CONSTRAINT "enrolment_course_fkey",
  DROP CONSTRAINT "enrolment_student_fkey",
  ALTER COLUMN "course" DROP NOT NULL,
  ALTER COLUMN "student" DROP NOT NULL;
DROP SCHEMA "remodel_staging" CASCADE;
