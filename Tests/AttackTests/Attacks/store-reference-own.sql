-- A table of the owner's refers to one of the store, and its check calls a function of the attacker's.
-- setting: behind
-- as: owner
-- by hand: DELETE FROM public.book
-- exit check: 2
-- exit plan script status history export jobs: 0
-- exit verify: 0 2
-- exit adopt: 4
-- exit finish cleanup: 0
-- exit revert migrate: 7
-- exit plan script reader: 0 7
-- exit superuser: 4

CREATE TABLE public.note (book bigint REFERENCES public.book ON DELETE SET NULL, text text);
INSERT INTO public.note SELECT _id, 'x' FROM public.book;
ALTER TABLE public.note ADD CONSTRAINT c CHECK (mallory.canary_of(text)) NOT VALID;
