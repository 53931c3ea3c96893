-- The owner's sessions begin with a search path of the attacker's, as a pooler hands over one that somebody
-- else has set.
-- setting: behind
-- as: superuser
-- victims: owner superuser-as-owner
-- verbs: check status plan history verify export jobs migrate online digest plan-file psql
-- by hand: SET ROLE attack_owner; SET search_path = mallory, pg_catalog; SELECT 'a'::text = 'b'::text
-- exit check: 2
-- exit status plan history verify export jobs migrate: 0

CREATE FUNCTION mallory.same(a varchar, b varchar) RETURNS boolean LANGUAGE plpgsql
  AS $$BEGIN RETURN mallory.canary(); END$$;
CREATE FUNCTION mallory.same(a name, b text) RETURNS boolean LANGUAGE plpgsql
  AS $$BEGIN RETURN mallory.canary(); END$$;
CREATE OPERATOR mallory.= (FUNCTION = mallory.same, LEFTARG = text, RIGHTARG = text);
CREATE OPERATOR mallory.= (FUNCTION = mallory.same, LEFTARG = varchar, RIGHTARG = varchar);
CREATE OPERATOR mallory.= (FUNCTION = mallory.same, LEFTARG = name, RIGHTARG = text);
ALTER ROLE attack_owner IN DATABASE "@DATABASE@" SET search_path = mallory, pg_catalog;
ALTER DATABASE "@DATABASE@" SET search_path = mallory, pg_catalog;
