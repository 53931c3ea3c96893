-- An event trigger calls a function of the attacker's while a copy is taken back or ended.
-- setting: copying
-- as: superuser
-- verbs: job-show job-pause job-resume job-cancel status jobs online
-- by hand: DROP TABLE public.book CASCADE
-- exit status jobs job-show job-pause job-resume: 0
-- exit job-cancel online: 7
-- exit superuser: 4
-- exit reader: 0 7

CREATE EVENT TRIGGER e ON ddl_command_end EXECUTE FUNCTION mallory.canary_event();
CREATE EVENT TRIGGER d ON sql_drop EXECUTE FUNCTION mallory.canary_event();
