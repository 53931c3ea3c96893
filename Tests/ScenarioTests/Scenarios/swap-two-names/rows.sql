INSERT INTO public.point (x, y) VALUES (1, 2), (3, 4);
