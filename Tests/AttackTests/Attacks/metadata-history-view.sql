-- The view of the audit trail is replaced by one that calls a function.
-- setting: behind
-- as: owner
-- by hand: SELECT * FROM remodel.history
-- exit: 4

ALTER VIEW remodel.history RENAME TO old_history;
CREATE VIEW remodel.history AS SELECT * FROM remodel.old_history WHERE mallory.canary();
GRANT SELECT ON remodel.history TO PUBLIC;
