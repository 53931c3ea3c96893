CREATE TABLE student (id serial PRIMARY KEY, name text);
CREATE TABLE course (id serial PRIMARY KEY, title text);
CREATE TABLE enrolment (
  id serial PRIMARY KEY,
  student_id integer NOT NULL REFERENCES student ON DELETE CASCADE,
  course_id integer NOT NULL REFERENCES course ON DELETE CASCADE,
  grade smallint,
  UNIQUE (student_id, course_id)
);
CREATE TABLE attendance (
  student_id integer REFERENCES student,
  course_id integer REFERENCES course,
  hours integer NOT NULL DEFAULT 0,
  PRIMARY KEY (student_id, course_id)
);
