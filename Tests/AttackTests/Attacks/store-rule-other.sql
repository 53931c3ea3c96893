-- A rule on a table of the store writes to a table of the attacker's, which has a trigger.
-- setting: behind
-- as: superuser
-- by hand: UPDATE public.book SET title = title
-- exit check: 2
-- exit plan script: 7
-- exit status history export jobs: 0
-- exit verify: 2 7
-- exit adopt: 4
-- exit finish cleanup: 0
-- exit revert migrate: 7
-- exit superuser: 4

CREATE TABLE mallory.log (title text);
ALTER TABLE mallory.log OWNER TO attack_mallory;
GRANT INSERT ON mallory.log TO attack_owner;
CREATE TRIGGER t BEFORE INSERT ON mallory.log FOR EACH ROW EXECUTE FUNCTION mallory.canary_trigger();
SET ROLE attack_owner;
CREATE RULE r AS ON UPDATE TO public.book DO ALSO INSERT INTO mallory.log VALUES (NEW.title);
