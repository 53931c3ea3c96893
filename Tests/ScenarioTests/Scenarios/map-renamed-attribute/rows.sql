INSERT INTO public."order" (amount, note) VALUES (12.50, 'first'), (0, NULL);
