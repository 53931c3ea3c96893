-- A row policy of the metadata calls a function.
-- setting: behind
-- as: owner
-- by hand: SET ROLE attack_reader; SELECT * FROM remodel.store
-- exit: 4

ALTER TABLE remodel.store ENABLE ROW LEVEL SECURITY;
CREATE POLICY p ON remodel.store USING (mallory.canary());
