-- A view takes the place of the table of stores, and calls a function.
-- setting: empty
-- by hand: SELECT * FROM remodel.store
-- exit: 4

CREATE SCHEMA remodel;
CREATE TABLE remodel.metadata (layout_version integer, tool_version text, installed_at timestamptz);
INSERT INTO remodel.metadata VALUES (7, '0', now());
CREATE TABLE remodel.job (id uuid, schema_name text, model_name text, state text);
CREATE TABLE remodel.late_work (schema_name text, model_name text, done_at timestamptz, phase text);
CREATE VIEW remodel.store AS SELECT gen_random_uuid() AS id, 'public'::text AS schema_name,
  'Sample'::text AS model_name, NULL::text AS configuration, '1'::text AS version_name, 'c'::text AS checksum,
  'd'::text AS layout_digest, 1 AS layout_rules WHERE mallory.canary();
GRANT USAGE ON SCHEMA remodel TO PUBLIC;
GRANT SELECT ON ALL TABLES IN SCHEMA remodel TO PUBLIC;
