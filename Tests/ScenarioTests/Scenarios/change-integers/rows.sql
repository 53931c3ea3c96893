INSERT INTO public.item (small, number, big, code, state, wide, "all", flags) VALUES
  (-32768, -2147483648, 9223372036854775807, 9999, 0, 1, '{1,NULL,-2}', '{0,1}'),
  (0, 0, NULL, NULL, 1, NULL, NULL, NULL), (7, 12, 0, -999, 1, 0, '{}', '{}');
