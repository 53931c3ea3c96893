-- A view of the attacker's over a table of the store has a literal of a domain, which the server reads
-- whenever the view is made: the store's next version makes it again.
-- setting: tenant
-- as: superuser
-- victims: superuser
-- verbs: check status plan script verify history export jobs migrate finish revert cleanup online
-- by hand: CREATE VIEW public.again AS SELECT '{1}'::mallory.number[] AS numbers
-- exit check: 2
-- exit plan script status history export jobs: 0
-- exit verify finish cleanup: 0
-- exit revert: 7
-- exit migrate: 7

GRANT SELECT ON tenant.book TO attack_mallory;
SET ROLE attack_mallory;
CREATE VIEW mallory.pages AS SELECT pages, '{1}'::mallory.number[] AS numbers FROM tenant.book;
