INSERT INTO public.booking (rooms, words, nights, terms) VALUES
  ('[1,4)', 'early birds', '[2024-01-01,2024-01-02)', 'late birds'), ('empty', '', 'empty', '');
