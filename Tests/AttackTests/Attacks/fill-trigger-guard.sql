-- A role with the right TRIGGER adds a trigger to a column before it is filled, while the job looks at the table.
-- setting: prepared
-- open for: 2
-- verbs: filled
-- by hand: UPDATE public.book SET remodel_temporary_label = 'x'
-- exit filled: 1 7
-- exit superuser: 4
-- exit reader: 0 7

CREATE TRIGGER t BEFORE UPDATE OF remodel_temporary_label ON public.book FOR EACH ROW EXECUTE FUNCTION mallory.canary_trigger();
