-- A trigger on what the metadata keeps of a copy job calls a function.
-- setting: copying
-- as: owner
-- verbs: job-show job-pause job-resume job-cancel check status history jobs plan migrate online cleanup
-- by hand: UPDATE remodel.job_event SET kind = kind
-- exit: 4

CREATE TRIGGER t BEFORE INSERT OR UPDATE ON remodel.job_event FOR EACH ROW
  EXECUTE FUNCTION mallory.canary_trigger();
