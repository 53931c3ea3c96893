INSERT INTO public.item (_entity) VALUES ('Item'), ('Book'), ('Film');

INSERT INTO public.reader (favourite) VALUES (NULL);
