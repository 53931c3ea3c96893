INSERT INTO public.item (state, wide, code, flags) VALUES (2, NULL, 1000, '{0}'), (-1, 5000000000, NULL, NULL),
  (1, 1, -99, '{1,2}'), (0, 0, 999, '{0,NULL}');
