-- A row policy of a table of the store calls a function.
-- setting: behind
-- as: owner
-- by hand: GRANT SELECT ON public.book TO attack_reader; SET ROLE attack_reader; SELECT * FROM public.book
-- exit plan script migrate: 7
-- exit check: 2
-- exit verify: 2 7
-- exit status history export jobs: 0
-- exit adopt: 4
-- exit finish cleanup: 0
-- exit revert: 7
-- exit migrate plan script reader: 7
-- exit superuser: 4

ALTER TABLE public.book ENABLE ROW LEVEL SECURITY;
CREATE POLICY p ON public.book USING (mallory.canary());
