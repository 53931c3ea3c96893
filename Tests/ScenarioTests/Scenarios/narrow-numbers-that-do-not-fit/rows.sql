INSERT INTO public.reading (count, value, amount) VALUES (32768, 1.5, 12345.678), (1, 'NaN', 1);
