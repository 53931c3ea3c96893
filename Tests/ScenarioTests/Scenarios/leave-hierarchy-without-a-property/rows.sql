INSERT INTO public.a (_entity, title, b_note, b_kept) VALUES ('A', 'one', NULL, NULL), ('B', 'two', 'noted', 'kept');
