INSERT INTO public."order" (state, priority, channel, country, code) VALUES
  ('open', 'low', 'shop', 'CH', 'a'), ('paid', 'high', 'web', 'DE', 'it''s'),
  ('paid', 'high', 'web', 'DE', NULL);
