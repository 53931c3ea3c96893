CREATE TABLE team (id serial PRIMARY KEY, name text NOT NULL);
CREATE TABLE player (id serial PRIMARY KEY, team_id integer NOT NULL REFERENCES team ON DELETE CASCADE, name text);
ALTER TABLE team ADD COLUMN captain_id integer REFERENCES player ON DELETE SET NULL;
CREATE TABLE game (
  id serial PRIMARY KEY,
  home_id integer NOT NULL REFERENCES team,
  guest_id integer NOT NULL REFERENCES team,
  played timestamptz,
  CHECK (home_id <> guest_id)
);
CREATE INDEX game_home ON game (home_id, played);
CREATE INDEX game_guest ON game (guest_id);
