-- A trigger on a table of the metadata calls a function.
-- setting: behind
-- as: owner
-- by hand: UPDATE remodel.store SET version_name = version_name
-- exit: 4

CREATE TRIGGER t BEFORE UPDATE ON remodel.store FOR EACH ROW EXECUTE FUNCTION mallory.canary_trigger();
