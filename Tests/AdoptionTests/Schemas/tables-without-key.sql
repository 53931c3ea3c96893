CREATE TABLE log (at timestamptz, line text);
CREATE TABLE cell (x integer, y integer, value text, PRIMARY KEY (x, y));
CREATE TABLE note (id serial PRIMARY KEY, x integer, y integer, FOREIGN KEY (x, y) REFERENCES cell);
CREATE TABLE version_log (id serial, note_id integer REFERENCES note);
