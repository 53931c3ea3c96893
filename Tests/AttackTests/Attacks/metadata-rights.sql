-- The attacker may write to the metadata, and has put SQL into what is run when a table comes back.
-- setting: behind
-- as: superuser
-- verbs: check status plan script verify history export jobs adopt migrate digest plan-file psql finish revert cleanup online
-- by hand: DO $$BEGIN EXECUTE (SELECT restoration->>0 FROM remodel.retained_object); END$$
-- exit: 4

GRANT INSERT, SELECT ON remodel.retained_object TO attack_mallory;
SET ROLE attack_mallory;
INSERT INTO remodel.retained_object (store, table_name, version_name, relation_names, restoration)
  SELECT id, 'book', '1', '[]', '["SELECT mallory.canary()"]' FROM remodel.store;
