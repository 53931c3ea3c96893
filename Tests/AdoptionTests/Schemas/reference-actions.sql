CREATE TABLE target (id serial PRIMARY KEY);
CREATE TABLE source (
  id serial PRIMARY KEY,
  none_id integer REFERENCES target,
  restrict_id integer NOT NULL REFERENCES target ON DELETE RESTRICT,
  cascade_id integer REFERENCES target ON DELETE CASCADE ON UPDATE CASCADE,
  null_id integer REFERENCES target ON DELETE SET NULL,
  default_id integer REFERENCES target ON DELETE SET DEFAULT,
  required_null_id integer NOT NULL REFERENCES target ON DELETE SET NULL
);
CREATE INDEX ON source (cascade_id);
