-- The table with the trigger refers to one without, which refers to the store's, and to itself.
-- setting: behind
-- as: superuser
-- by hand: UPDATE public.book SET _id = _id + 10
-- until: 17
-- exit check: 2
-- exit plan script status history export jobs: 0
-- exit verify: 0 2
-- exit adopt: 4
-- exit finish cleanup: 0
-- exit revert migrate: 7
-- exit plan script reader: 0 7
-- exit superuser: 4

GRANT SELECT, REFERENCES ON public.book TO attack_mallory;
SET ROLE attack_mallory;
CREATE TABLE mallory.loan (book bigint PRIMARY KEY REFERENCES public.book ON UPDATE CASCADE ON DELETE CASCADE,
  earlier bigint REFERENCES mallory.loan ON UPDATE CASCADE ON DELETE CASCADE);
CREATE TABLE mallory.fine (loan bigint REFERENCES mallory.loan ON UPDATE CASCADE ON DELETE CASCADE);
INSERT INTO mallory.loan (book) SELECT _id FROM public.book;
INSERT INTO mallory.fine SELECT book FROM mallory.loan;
CREATE TRIGGER t AFTER UPDATE OR DELETE ON mallory.fine FOR EACH ROW EXECUTE FUNCTION mallory.canary_trigger();
