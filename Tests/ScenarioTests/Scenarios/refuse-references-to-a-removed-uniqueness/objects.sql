CREATE TABLE public.loan (isbn text REFERENCES public.book (isbn));
