CREATE TABLE measure (
  id serial PRIMARY KEY,
  width numeric NOT NULL,
  height numeric NOT NULL,
  area numeric GENERATED ALWAYS AS (width * height) STORED,
  label text NOT NULL,
  lower_label text GENERATED ALWAYS AS (lower(label)) STORED
);
CREATE INDEX ON measure (lower_label);
