INSERT INTO public.reading (count, value, amount) VALUES (32767, 1e6, 1234.56), (-32768, NULL, -0.5);
