INSERT INTO public."order" (state, priority, channel, country, code) VALUES
  ('open', 'low', 'shop', 'CH', 'a'), ('paid', 'normal', 'web', 'DE', NULL),
  ('paid', 'high', 'web', 'FR', NULL), ('paid', 'high', 'web', 'CH', 'b');
