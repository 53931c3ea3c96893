INSERT INTO public.blog (title, is_local) VALUES ('Far', false), ('Near', true);

INSERT INTO public.post (text, blog) VALUES ('a', 1), ('b', 2), ('c', NULL);

INSERT INTO public.reader DEFAULT VALUES;

INSERT INTO public.reader_blogs VALUES (1, 1), (1, 2);
