-- An event trigger, which only superusers can make, calls a function of the attacker's.
-- setting: behind
-- as: superuser
-- by hand: CREATE TABLE public.t ()
-- verbs: check status plan verify history migrate
-- exit check: 2
-- exit plan status history verify: 0
-- exit migrate: 7
-- exit plan reader: 0 7
-- exit superuser: 4

CREATE EVENT TRIGGER e ON ddl_command_end EXECUTE FUNCTION mallory.canary_event();
