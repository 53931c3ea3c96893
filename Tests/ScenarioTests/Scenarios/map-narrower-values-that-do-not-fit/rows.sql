INSERT INTO public.part (count, code) VALUES (1, 'abcdef'), (2, 'abc');
