-- An index of a table beside those of the store is evaluated where a rehearsal reads rows of it.
-- setting: behind
-- as: owner
-- victims: owner superuser superuser-as-owner
-- verbs: rehearse
-- by hand: EXPLAIN SELECT * FROM public.beside WHERE title = $$x$$
-- exit rehearse: 7
-- exit superuser: 4

CREATE TABLE public.beside (title text);
CREATE INDEX ON public.beside ((mallory.canary_of('x')));
