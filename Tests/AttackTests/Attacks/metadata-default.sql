-- A default of the metadata calls a function.
-- setting: behind
-- as: owner
-- by hand: INSERT INTO remodel.metadata (layout_version, tool_version) VALUES (1, 1)
-- exit: 4

ALTER TABLE remodel.metadata ADD COLUMN extra boolean;
ALTER TABLE remodel.metadata ALTER COLUMN extra SET DEFAULT mallory.canary();
