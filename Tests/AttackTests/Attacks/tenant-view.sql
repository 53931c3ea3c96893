-- The owner of the schema replaces a table of the store by a view that calls a function.
-- setting: tenant
-- victims: superuser
-- verbs: check status plan script verify history migrate finish revert cleanup
-- by hand: SELECT * FROM tenant.book
-- exit plan script migrate: 7
-- exit check: 2
-- exit verify: 2 7
-- exit status history: 0
-- exit finish cleanup: 0
-- exit revert: 7

DROP TABLE tenant.book;
CREATE VIEW tenant.book AS SELECT 1::bigint AS _id, NULL::text AS title, NULL::text AS note WHERE mallory.canary();
