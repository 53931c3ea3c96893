-- A table of the attacker's refers to one of the store, and has a trigger for rows that go with those that
-- they refer to; servers before 18 run it with the rights of whoever deletes.
-- setting: behind
-- as: superuser
-- by hand: DELETE FROM public.book
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
CREATE TABLE mallory.loan (book bigint REFERENCES public.book ON DELETE CASCADE);
INSERT INTO mallory.loan SELECT _id FROM public.book;
CREATE TRIGGER t AFTER DELETE ON mallory.loan FOR EACH ROW EXECUTE FUNCTION mallory.canary_trigger();
