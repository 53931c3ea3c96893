INSERT INTO public.account (_id, number) OVERRIDING SYSTEM VALUE VALUES (7, 'A'), (8, 'B');

INSERT INTO public.trade (amount, account) VALUES (12.5, 7), (-3, 7), (1, 8);
