INSERT INTO public.station (name) VALUES ('Pole'), ('Sahara');

INSERT INTO public.reading (temperature, taken_at, station, _readings_position) VALUES
  (14, '2024-01-01T00:00:00Z', 1, 1),
  (NULL, '2024-01-02T00:00:00Z', 1, 0),
  (104, '2024-01-01T00:00:00Z', 2, 0);
