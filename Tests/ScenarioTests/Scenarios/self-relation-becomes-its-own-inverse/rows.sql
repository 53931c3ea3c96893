INSERT INTO public.person (manager, _reports_position) VALUES (NULL, NULL), (1, 1), (1, 0);
INSERT INTO public.person_friends (source, target) VALUES (1, 2), (2, 3);
