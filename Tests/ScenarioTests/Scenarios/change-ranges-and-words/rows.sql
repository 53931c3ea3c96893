INSERT INTO public.booking (guest, note, period, nights) VALUES
  ('Ann Walks', 'early birds', '[2024-01-01 10:00Z,2024-01-02 10:00Z)', '[2024-01-01,2024-01-02)'),
  ('Bob', NULL, '[2024-01-02 10:00Z,)', 'empty'), ('Cy', 'none', 'empty', '(,)');
