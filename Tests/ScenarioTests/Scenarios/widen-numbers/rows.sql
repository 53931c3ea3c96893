INSERT INTO public.reading (count, value, amount, flag, code) VALUES (32767, 1.5, 9007199254740993, true, 'a'), (1, NULL, 2, false, 'b');
