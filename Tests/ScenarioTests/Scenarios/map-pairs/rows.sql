INSERT INTO public.course (title) VALUES ('Logic'), ('Latin');

INSERT INTO public.student (name) VALUES ('Ann'), ('Bob');

INSERT INTO public.course_students (students, courses) VALUES (1, 1), (2, 1), (2, 2);
