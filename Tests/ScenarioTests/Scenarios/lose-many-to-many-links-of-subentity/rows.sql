INSERT INTO public.a (_entity, n) VALUES ('B', 'b1'), ('C', 'c2');
INSERT INTO public.d (k) VALUES ('d1');
INSERT INTO public.b_ds (b, ds) VALUES (1, 1), (2, 1);
