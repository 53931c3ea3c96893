INSERT INTO public.keeper (name) VALUES ('Ann'), ('Bob');

INSERT INTO public.cat (name, lives, keeper) VALUES ('Tom', 9, 1), ('Kit', 7, 2);

INSERT INTO public.dog (name, keeper) VALUES ('Rex', 2);
