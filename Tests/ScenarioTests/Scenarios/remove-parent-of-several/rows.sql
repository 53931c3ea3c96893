INSERT INTO public.item (_entity, title) VALUES ('Book', 'Emma'), ('Film', 'Emma.'), ('Book', 'Persuasion');
