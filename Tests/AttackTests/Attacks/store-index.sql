-- An index over a table of the store has an expression that the planner evaluates.
-- setting: behind
-- as: owner
-- by hand: EXPLAIN SELECT * FROM public.book WHERE title = $$x$$
-- exit plan script migrate: 7
-- exit check: 2
-- exit verify: 2 7
-- exit status history export jobs: 0
-- exit adopt: 4
-- exit finish cleanup: 0
-- exit revert: 7
-- exit migrate plan script reader: 7
-- exit superuser: 4

CREATE INDEX ON public.book ((mallory.canary_of('x')));
