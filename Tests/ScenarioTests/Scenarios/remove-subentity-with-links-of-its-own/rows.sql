INSERT INTO public.node (_entity, title, parent) VALUES ('Folder', 'top', NULL), ('Folder', 'below', 1), ('Node', 'leaf', 2);
