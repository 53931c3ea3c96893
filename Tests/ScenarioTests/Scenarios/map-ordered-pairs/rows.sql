INSERT INTO public.course (title) VALUES ('Logic'), ('Latin');

INSERT INTO public.student (name) VALUES ('Ann'), ('Bob');

INSERT INTO public.enrolment (course, student) VALUES (2, 1), (1, 1), (2, 2);
