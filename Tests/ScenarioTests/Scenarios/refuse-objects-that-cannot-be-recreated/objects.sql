-- A generated column, a stored row, an aggregate behind a function, and an extension's object.
ALTER TABLE public.book ADD COLUMN sheets integer GENERATED ALWAYS AS (pages / 2) STORED;
CREATE TABLE public.box (book public.book);
CREATE FUNCTION public.add(integer, integer) RETURNS integer IMMUTABLE LANGUAGE sql
  BEGIN ATOMIC SELECT $1 + $2 + (SELECT count(pages) FROM public.book); END;
CREATE AGGREGATE public.total(integer) (SFUNC = public.add, STYPE = integer);
DO $$ BEGIN CREATE ROLE scenario_grantor; EXCEPTION WHEN duplicate_object THEN END $$;
CREATE VIEW public.lent AS SELECT pages FROM public.book;
GRANT SELECT ON public.lent TO scenario_grantor WITH GRANT OPTION;
SET ROLE scenario_grantor;
GRANT SELECT ON public.lent TO PUBLIC;
RESET ROLE;
CREATE VIEW public.fine AS SELECT pages FROM public.book;
