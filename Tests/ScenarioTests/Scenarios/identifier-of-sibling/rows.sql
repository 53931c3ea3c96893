INSERT INTO public.dose (rate, unit) VALUES (1.5, 'U'), (0.25, NULL);
INSERT INTO public.plan (title) VALUES ('day'), ('night');
INSERT INTO public.plan_doses (plan, doses) VALUES (1, 1), (1, 2), (2, 2);
