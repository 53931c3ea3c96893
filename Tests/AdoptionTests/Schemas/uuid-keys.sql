CREATE TABLE device (uid uuid PRIMARY KEY DEFAULT gen_random_uuid(), label text NOT NULL);
CREATE TABLE reading (
  id uuid PRIMARY KEY,
  device_uid uuid NOT NULL REFERENCES device (uid) ON DELETE CASCADE,
  value double precision,
  taken_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX ON reading (device_uid);
