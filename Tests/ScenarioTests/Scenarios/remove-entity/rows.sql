INSERT INTO public.book (title) VALUES ('Emma'); INSERT INTO public.loan (day, book) VALUES ('2024-01-01', 1);
