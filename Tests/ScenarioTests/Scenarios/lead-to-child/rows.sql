INSERT INTO public.item (_entity) VALUES ('Item'), ('Book'), ('Film');

INSERT INTO public.reader (favourite) VALUES (2), (NULL);
INSERT INTO public.reader_shelf (reader, shelf) VALUES (1, 2);
