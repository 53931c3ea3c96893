-- A column of a table of the store has a domain whose check calls a function.
-- setting: behind
-- as: owner
-- by hand: UPDATE public.book SET extra = 1
-- exit plan script migrate: 7
-- exit check: 2
-- exit verify: 2 7
-- exit status history export jobs: 0
-- exit adopt: 4
-- exit finish cleanup: 0
-- exit revert: 7
-- exit migrate plan script reader: 7
-- exit superuser: 4

ALTER TABLE public.book ADD COLUMN extra mallory.number;
