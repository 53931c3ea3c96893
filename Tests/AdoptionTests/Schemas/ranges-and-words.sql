CREATE SCHEMA extensions;
CREATE EXTENSION btree_gist SCHEMA extensions;
CREATE TABLE room (id serial PRIMARY KEY, number text NOT NULL);
CREATE TABLE booking (
  id serial PRIMARY KEY,
  room_id integer NOT NULL REFERENCES room,
  period tstzrange NOT NULL,
  nights daterange,
  price numrange UNIQUE,
  seats int4range DEFAULT '[1,5)',
  title text NOT NULL,
  words tsvector GENERATED ALWAYS AS (to_tsvector('english', title)) STORED,
  CONSTRAINT one_at_a_time EXCLUDE USING gist (room_id WITH =, period WITH &&),
  CONSTRAINT no_touching EXCLUDE USING gist (nights WITH -|-),
  CONSTRAINT same_seats EXCLUDE USING gist (seats WITH =, room_id WITH =)
);
CREATE INDEX booking_room_id_idx ON booking (room_id);
CREATE INDEX booking_words ON booking USING gin (words);
CREATE INDEX booking_nights ON booking USING gist (nights);
CREATE INDEX booking_seats ON booking (seats);
