CREATE VIEW public.both AS SELECT pages, title FROM public.book;
CREATE VIEW public.only_title AS SELECT title FROM public.book;
CREATE VIEW public.only_pages AS SELECT pages FROM public.book;
