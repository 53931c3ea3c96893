-- A table of the attacker's refers to one of the store, and has a rule that writes to another one with a
-- trigger.
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
CREATE TABLE mallory.log (book bigint);
INSERT INTO mallory.loan SELECT _id FROM public.book;
CREATE RULE r AS ON DELETE TO mallory.loan DO ALSO INSERT INTO mallory.log VALUES (OLD.book);
CREATE TRIGGER t AFTER INSERT ON mallory.log FOR EACH ROW EXECUTE FUNCTION mallory.canary_trigger();
