INSERT INTO public.ticket (title) VALUES ('one'), ('two'), ('three');
