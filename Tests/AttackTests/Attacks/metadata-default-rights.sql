-- By default privileges the attacker would get all rights to the metadata, and could put triggers on it.
-- setting: empty
-- as: superuser
-- victims: owner superuser superuser-as-owner
-- verbs: check status history migrate psql
-- by hand: none
-- exit: 0
-- exit check: 2

ALTER DEFAULT PRIVILEGES FOR ROLE attack_owner, postgres GRANT ALL ON TABLES TO attack_mallory, PUBLIC;
ALTER DEFAULT PRIVILEGES FOR ROLE attack_owner, postgres GRANT ALL ON SCHEMAS TO attack_mallory, PUBLIC;
