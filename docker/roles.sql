-- Roles for a database that Remodel migrates; run once for each database, again does no harm:
--
--   psql --dbname library --file roles.sql
--
-- by a superuser, or by the database's owner if that one may create roles. It makes
--
--   library_owner     owns the tables and the metadata; nobody logs in as it
--   library_migrator  logs in to migrate, and does nothing else: remodel migrate --role library_owner
--   library_app       logs in as the application: reads and writes rows
--   library_reader    logs in to look: reads rows
--
-- Passwords are set afterwards, by \password in psql. Other names: --set owner=… --set migrator=… --set app=…
-- --set reader=…; another schema than "public": --set schema=…
\set ON_ERROR_STOP on
\if :{?owner}
\else
  \set owner :DBNAME _owner
\endif
\if :{?migrator}
\else
  \set migrator :DBNAME _migrator
\endif
\if :{?app}
\else
  \set app :DBNAME _app
\endif
\if :{?reader}
\else
  \set reader :DBNAME _reader
\endif
\if :{?schema}
\else
  \set schema public
\endif

SET client_min_messages = warning;
SET search_path = pg_catalog, pg_temp;

-- The server would cut a name that is too long, and two roles of one name would be one with the rights of both.
SELECT format('DO %L', format('BEGIN RAISE EXCEPTION USING MESSAGE = %L, HINT = %L; END', fault, hint))
  FROM (
    SELECT format('role "%s" has a longer name than %s bytes', name, current_setting('max_identifier_length')) AS fault,
        format('Give another one: --set %s=NAME.', variable) AS hint
      FROM (VALUES ('owner', :'owner'), ('migrator', :'migrator'), ('app', :'app'), ('reader', :'reader'))
        AS roles (variable, name)
      WHERE octet_length(name) > current_setting('max_identifier_length')::integer
    UNION ALL
    SELECT format('%s are the same role, "%s"', string_agg(variable, ' and ' ORDER BY number), name),
        format('Give different ones: --set %s=NAME.', max(variable))
      FROM (VALUES (1, 'owner', :'owner'), (2, 'migrator', :'migrator'), (3, 'app', :'app'), (4, 'reader', :'reader'))
        AS roles (number, variable, name)
      GROUP BY name HAVING count(*) > 1
  ) AS faults
  ORDER BY fault LIMIT 1 \gexec

BEGIN;

-- What the migrator may do, it may only as the owner: a table that it makes is never its own by mistake.
SELECT format('CREATE ROLE %I %s', name, attributes)
  FROM (VALUES (:'owner', 'NOLOGIN'), (:'migrator', 'LOGIN NOINHERIT'), (:'app', 'LOGIN'), (:'reader', 'LOGIN'))
    AS roles (name, attributes)
  WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = name) \gexec
GRANT :"owner" TO :"migrator";
-- Who is no superuser gives rights in the owner's name only as a member.
SELECT format('GRANT %I TO %I', :'owner', current_user)
  WHERE NOT (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) \gexec

GRANT CONNECT ON DATABASE :"DBNAME" TO :"migrator", :"app", :"reader";
-- For the schema of the metadata, and those in which tables are rebuilt.
GRANT CREATE ON DATABASE :"DBNAME" TO :"owner";

CREATE SCHEMA IF NOT EXISTS :"schema";
REVOKE CREATE ON SCHEMA :"schema" FROM PUBLIC;
GRANT USAGE, CREATE ON SCHEMA :"schema" TO :"owner";
GRANT USAGE ON SCHEMA :"schema" TO :"app", :"reader";

-- Tables that are there already, whoever owns them, and all that the owner makes.
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA :"schema" TO :"app";
GRANT SELECT ON ALL TABLES IN SCHEMA :"schema" TO :"reader";
ALTER DEFAULT PRIVILEGES FOR ROLE :"owner" IN SCHEMA :"schema"
  GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO :"app";
ALTER DEFAULT PRIVILEGES FOR ROLE :"owner" IN SCHEMA :"schema"
  GRANT SELECT ON TABLES TO :"reader";

COMMIT;
