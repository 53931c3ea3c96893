-- Forged tables without those of jobs and late work, which migrate once looped on.
-- setting: empty
-- by hand: none
-- exit: 4

CREATE SCHEMA remodel;
CREATE TABLE remodel.metadata (layout_version integer, tool_version text, installed_at timestamptz);
INSERT INTO remodel.metadata VALUES (7, '0', now());
CREATE TABLE remodel.store (id uuid, schema_name text, model_name text, configuration text,
  version_name text, checksum text, layout_digest text, layout_rules integer);
GRANT USAGE ON SCHEMA remodel TO PUBLIC;
GRANT SELECT ON ALL TABLES IN SCHEMA remodel TO PUBLIC;
