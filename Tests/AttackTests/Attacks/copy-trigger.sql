-- A trigger on a table that is being copied calls a function.
-- setting: copying
-- as: owner
-- verbs: job-show job-pause job-resume job-cancel status jobs online
-- by hand: UPDATE public.book SET title = title
-- exit status jobs job-show job-pause job-resume: 0
-- exit job-cancel: 0
-- exit online: 7
-- exit superuser: 4
-- exit reader: 0 7

CREATE TRIGGER t BEFORE UPDATE ON public.book FOR EACH ROW EXECUTE FUNCTION mallory.canary_trigger();
