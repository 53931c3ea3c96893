-- A check of a table of the store uses an operator.
-- setting: behind
-- as: owner
-- by hand: UPDATE public.book SET title = 'z'
-- exit plan script migrate: 7
-- exit check: 2
-- exit verify: 2 7
-- exit status history export jobs: 0
-- exit adopt: 4
-- exit finish cleanup: 0
-- exit revert: 7
-- exit migrate plan script reader: 7
-- exit superuser: 4

ALTER TABLE public.book ADD CONSTRAINT c CHECK (title OPERATOR(mallory.===) title) NOT VALID;
