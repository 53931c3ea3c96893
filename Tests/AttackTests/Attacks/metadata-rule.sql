-- A rule on a table of the metadata calls a function.
-- setting: behind
-- as: owner
-- by hand: UPDATE remodel.store SET version_name = version_name
-- exit: 4

CREATE RULE r AS ON UPDATE TO remodel.store DO ALSO SELECT mallory.canary();
