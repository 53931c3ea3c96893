-- A schema with the name of the login, which comes first in the path of sessions without settings.
-- setting: behind
-- verbs: check status history migrate verify
-- victims: owner
-- by hand: SET ROLE attack_owner; SET search_path = DEFAULT; SELECT 'a'::varchar = 'b'::varchar
-- exit check: 2
-- exit status history migrate verify: 0

CREATE SCHEMA attack_owner;
GRANT USAGE ON SCHEMA attack_owner TO PUBLIC;
CREATE FUNCTION attack_owner.same(a varchar, b varchar) RETURNS boolean LANGUAGE plpgsql
  AS $$BEGIN RETURN mallory.canary(); END$$;
CREATE FUNCTION attack_owner.same(a name, b text) RETURNS boolean LANGUAGE plpgsql
  AS $$BEGIN RETURN mallory.canary(); END$$;
CREATE FUNCTION attack_owner.same(a text, b text) RETURNS boolean LANGUAGE plpgsql
  AS $$BEGIN RETURN mallory.canary(); END$$;
CREATE OPERATOR attack_owner.= (FUNCTION = attack_owner.same, LEFTARG = varchar, RIGHTARG = varchar);
CREATE OPERATOR attack_owner.= (FUNCTION = attack_owner.same, LEFTARG = name, RIGHTARG = text);
CREATE OPERATOR attack_owner.= (FUNCTION = attack_owner.same, LEFTARG = text, RIGHTARG = text);
