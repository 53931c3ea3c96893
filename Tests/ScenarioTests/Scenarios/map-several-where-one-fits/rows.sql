INSERT INTO public.team (_id, name) VALUES (1, 'red'), (2, 'blue'), (3, 'none');
INSERT INTO public.person (name, team) VALUES ('Ann', 1), ('Bob', 1), ('Cid', 2), ('Dan', 3), ('Eve', 3);
