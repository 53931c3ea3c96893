INSERT INTO public.shop (_id, name) VALUES (1, 's');
WITH lines AS (INSERT INTO public.line (_id, text, "order", next) VALUES (1, 'l', 1, 2), (2, 'm', 1, NULL))
INSERT INTO public."order" (_id, number, shop, first) VALUES (1, 7, 1, 1);
