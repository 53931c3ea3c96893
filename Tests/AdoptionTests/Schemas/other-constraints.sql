CREATE SCHEMA elsewhere;
CREATE TABLE elsewhere.thing (id serial PRIMARY KEY);
CREATE TABLE room (id serial PRIMARY KEY, number text NOT NULL UNIQUE);
CREATE TABLE booking (
  id serial PRIMARY KEY,
  room text REFERENCES room (number),
  thing integer REFERENCES elsewhere.thing,
  during tsrange NOT NULL,
  mirror integer REFERENCES room (id) MATCH FULL,
  big bigint REFERENCES room (id),
  fallback integer DEFAULT 1 REFERENCES room (id),
  twice integer REFERENCES room (id),
  CONSTRAINT again FOREIGN KEY (twice) REFERENCES room (id) ON DELETE CASCADE,
  EXCLUDE USING gist (during WITH &&)
);
ALTER TABLE booking ADD CONSTRAINT late CHECK (lower(during) > '2000-01-01') NOT VALID;
CREATE TABLE suite (id integer PRIMARY KEY REFERENCES room, beds integer);
