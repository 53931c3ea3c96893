CREATE TABLE hot (id serial PRIMARY KEY, value text ) WITH (fillfactor = 70, autovacuum_enabled = false);
COMMENT ON TABLE hot IS 'a comment';
COMMENT ON COLUMN hot.value IS 'another';
ALTER TABLE hot ALTER COLUMN value SET STATISTICS 500;
GRANT SELECT ON hot TO PUBLIC;
