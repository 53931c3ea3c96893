INSERT INTO public.series (values, tags, flags, scores, count) VALUES
  ('{1,NULL,32767}', '{a,abcde}', '{t,f}', '{1.5,NaN,NULL}', 1), ('{}', '{}', NULL, NULL, 2);
