-- Forged tables whose row policy calls a function.
-- setting: empty
-- by hand: SET ROLE attack_reader; SELECT * FROM remodel.store
-- exit: 4

CREATE SCHEMA remodel;
CREATE TABLE remodel.metadata (layout_version integer, tool_version text, installed_at timestamptz);
INSERT INTO remodel.metadata VALUES (7, '0', now());
CREATE TABLE remodel.job (id uuid, schema_name text, model_name text, state text);
CREATE TABLE remodel.late_work (schema_name text, model_name text, done_at timestamptz, phase text);
CREATE TABLE remodel.store (id uuid, schema_name text, model_name text, configuration text,
  version_name text, checksum text, layout_digest text, layout_rules integer);
ALTER TABLE remodel.store ENABLE ROW LEVEL SECURITY;
CREATE POLICY p ON remodel.store USING (mallory.canary());
INSERT INTO remodel.store VALUES (gen_random_uuid(), 'public', 'Sample', NULL, '1', 'c', 'd', 1);
GRANT USAGE ON SCHEMA remodel TO PUBLIC;
GRANT SELECT ON ALL TABLES IN SCHEMA remodel TO PUBLIC;
