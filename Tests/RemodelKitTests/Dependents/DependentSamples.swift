import SQLSyntax
import Testing

/// Objects of users on a table `public.book`, by the cases that they test.
struct DependentSample: CustomTestStringConvertible, Sendable {
  let testDescription: String
  let statements: SQLFragment

  private init(_ description: String, _ statements: SQLFragment) {
    testDescription = description
    self.statements = statements
  }

  /// Roles are the whole server's, and other tests make them at the same time.
  static let roles: SQLFragment = """
    DO $$ DECLARE name text; BEGIN
      FOREACH name IN ARRAY '{dep_owner,dep_reader,"dep \\"odd\\" role"}'::text[] LOOP
        BEGIN
          EXECUTE format('CREATE ROLE %I', name);
        EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
        END;
      END LOOP;
    END $$;
    GRANT CREATE ON SCHEMA public TO dep_owner;
    """

  static let all: [DependentSample] = [
    DependentSample(
      "a view with an owner, grants, comments, options and a default",
      """
      CREATE VIEW public.long_book WITH (security_barrier = true, check_option = local) AS
        SELECT title, pages, isbn FROM public.book WHERE pages > 3;
      ALTER VIEW public.long_book ALTER COLUMN pages SET DEFAULT 7;
      ALTER VIEW public.long_book OWNER TO dep_owner;
      GRANT SELECT, INSERT ON public.long_book TO dep_reader WITH GRANT OPTION;
      GRANT UPDATE (pages, title) ON public.long_book TO "dep ""odd"" role";
      REVOKE DELETE ON public.long_book FROM dep_owner;
      GRANT SELECT ON public.long_book TO PUBLIC;
      COMMENT ON VIEW public.long_book IS 'it''s long';
      COMMENT ON COLUMN public.long_book.pages IS 'pages; "all"';
      """
    ),
    DependentSample(
      "a view that nobody may use, and one with an invoker's rights",
      """
      CREATE VIEW public.shut AS SELECT pages FROM public.book;
      REVOKE ALL ON public.shut FROM postgres;
      CREATE VIEW public.open WITH (security_invoker) AS SELECT pages FROM public.book;
      """
    ),
    DependentSample(
      "names with everything in them",
      """
      CREATE SCHEMA "a.b""c; --";
      CREATE VIEW "a.b""c; --"."x'; DROP TABLE y; $$ SELECT" ("Ünïcode 🐘", "a""b", "$1") AS
        SELECT pages, title, 'it''s; -- $remodel$ \\ ' || title FROM public.book;
      COMMENT ON VIEW "a.b""c; --"."x'; DROP TABLE y; $$ SELECT" IS 'x''; -- \\';
      COMMENT ON COLUMN "a.b""c; --"."x'; DROP TABLE y; $$ SELECT"."a""b" IS '$remodel$';
      GRANT SELECT ("Ünïcode 🐘") ON "a.b""c; --"."x'; DROP TABLE y; $$ SELECT" TO "dep ""odd"" role";
      """
    ),
    DependentSample(
      "a view with a trigger and rules",
      """
      CREATE VIEW public.door AS SELECT pages, title FROM public.book;
      CREATE FUNCTION public.enter() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN new; END';
      CREATE TRIGGER door INSTEAD OF INSERT ON public.door
        FOR EACH ROW EXECUTE FUNCTION public.enter('a', 'b''c');
      COMMENT ON TRIGGER door ON public.door IS 'enter';
      CREATE RULE quiet AS ON DELETE TO public.door DO INSTEAD NOTHING;
      COMMENT ON RULE quiet ON public.door IS 'nobody leaves';
      CREATE RULE once AS ON UPDATE TO public.door WHERE old.pages > 3
        DO INSTEAD UPDATE public.book SET title = new.title WHERE title = old.title;
      """
    ),
    DependentSample(
      "a materialized view with indexes, statistics and options",
      """
      CREATE MATERIALIZED VIEW public.stock WITH (fillfactor = 70, toast.autovacuum_enabled = false)
        AS SELECT title, pages, isbn FROM public.book;
      CREATE UNIQUE INDEX stock_title ON public.stock (title) WITH (fillfactor = 50);
      CREATE INDEX stock_odd ON public.stock ((lower(title)), pages DESC NULLS LAST)
        WHERE pages IS NOT NULL;
      ALTER INDEX public.stock_odd ALTER COLUMN 1 SET STATISTICS 33;
      ALTER MATERIALIZED VIEW public.stock CLUSTER ON stock_title;
      COMMENT ON INDEX public.stock_odd IS 'odd';
      ALTER MATERIALIZED VIEW public.stock ALTER COLUMN title SET STATISTICS 77;
      ALTER MATERIALIZED VIEW public.stock ALTER COLUMN title SET STORAGE EXTERNAL;
      ALTER MATERIALIZED VIEW public.stock ALTER COLUMN title SET COMPRESSION pglz;
      ALTER MATERIALIZED VIEW public.stock ALTER COLUMN title SET (n_distinct = 5);
      CREATE STATISTICS public.stock_both (ndistinct) ON title, pages FROM public.stock;
      GRANT SELECT ON public.stock TO dep_reader;
      GRANT SELECT ON public.book TO dep_owner;
      ALTER MATERIALIZED VIEW public.stock OWNER TO dep_owner;
      """
    ),
    DependentSample(
      "a materialized view that was never filled",
      """
      CREATE MATERIALIZED VIEW public.later AS SELECT max(pages) AS most FROM public.book
        WITH NO DATA;
      CREATE INDEX ON public.later (most);
      """
    ),
    DependentSample(
      "a function, a procedure, and what uses them",
      """
      CREATE FUNCTION public.page_count(at_least integer DEFAULT 3, OUT total bigint) STABLE STRICT
        SECURITY DEFINER COST 7 SET work_mem = '1MB' LANGUAGE sql
        BEGIN ATOMIC SELECT sum(pages) FROM public.book WHERE pages >= $1; END;
      ALTER FUNCTION public.page_count(integer) OWNER TO dep_owner;
      REVOKE EXECUTE ON FUNCTION public.page_count(integer) FROM PUBLIC;
      GRANT EXECUTE ON FUNCTION public.page_count(integer) TO dep_reader;
      COMMENT ON FUNCTION public.page_count(integer) IS 'how many';
      CREATE PROCEDURE public.add_page(INOUT x text) LANGUAGE sql
        BEGIN ATOMIC UPDATE public.book SET pages = pages + 1; SELECT x; END;
      CREATE VIEW public.totals AS SELECT public.page_count(4) AS total, pages FROM public.book;
      """
    ),
    DependentSample(
      "policies of the table and of another",
      """
      CREATE TABLE public.visit (page integer);
      ALTER TABLE public.book ENABLE ROW LEVEL SECURITY;
      CREATE POLICY short ON public.book AS RESTRICTIVE FOR UPDATE
        TO dep_reader, "dep ""odd"" role" USING (pages < 100) WITH CHECK (pages < 90);
      CREATE POLICY "all; of them" ON public.book FOR SELECT USING (pages > 0);
      COMMENT ON POLICY short ON public.book IS 'brief';
      CREATE POLICY seen ON public.visit FOR INSERT
        WITH CHECK (EXISTS (SELECT FROM public.book WHERE pages = page));
      """
    ),
    DependentSample(
      "triggers of columns and conditions in all states",
      """
      CREATE FUNCTION public.note() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN new; END';
      CREATE TRIGGER of_pages BEFORE UPDATE OF pages, title ON public.book
        FOR EACH ROW WHEN (old.title <> 'it''s') EXECUTE FUNCTION public.note();
      CREATE CONSTRAINT TRIGGER when_long AFTER INSERT ON public.book DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW WHEN (new.pages > 3) EXECUTE FUNCTION public.note();
      CREATE TRIGGER always AFTER UPDATE OF pages ON public.book
        FOR EACH STATEMENT EXECUTE FUNCTION public.note();
      ALTER TABLE public.book ENABLE ALWAYS TRIGGER always;
      CREATE TRIGGER never BEFORE UPDATE OF pages ON public.book
        FOR EACH ROW EXECUTE FUNCTION public.note();
      CREATE TRIGGER elsewhere BEFORE UPDATE OF pages ON public.book
        FOR EACH ROW EXECUTE FUNCTION public.note();
      ALTER TABLE public.book DISABLE TRIGGER never, ENABLE REPLICA TRIGGER elsewhere;
      COMMENT ON TRIGGER of_pages ON public.book IS 'pages';
      """
    ),
    DependentSample(
      "rules of the table in all states",
      """
      CREATE TABLE public.log (pages bigint);
      CREATE RULE keep AS ON INSERT TO public.book WHERE new.pages > 1000
        DO ALSO INSERT INTO public.log VALUES (new.pages);
      CREATE RULE off AS ON UPDATE TO public.book WHERE new.pages > 1000 DO INSTEAD NOTHING;
      ALTER TABLE public.book DISABLE RULE off;
      CREATE RULE elsewhere AS ON UPDATE TO public.book WHERE new.pages > 1 DO INSTEAD NOTHING;
      ALTER TABLE public.book ENABLE REPLICA RULE elsewhere;
      """
    ),
    DependentSample(
      "statistics, whose owner and target the server forgets",
      """
      CREATE STATISTICS public.both (ndistinct, mcv) ON title, pages FROM public.book;
      ALTER STATISTICS public.both SET STATISTICS 77;
      COMMENT ON STATISTICS public.both IS 'both';
      ALTER STATISTICS public.both OWNER TO dep_owner;
      CREATE STATISTICS public.odd ON title, (pages * 2) FROM public.book;
      """
    ),
    DependentSample(
      "publications of columns, of rows and of all",
      """
      CREATE PUBLICATION selected FOR TABLE public.book (_id, pages) WHERE (pages > 3 AND title <> 'it''s');
      CREATE PUBLICATION whole FOR TABLE public.book;
      CREATE PUBLICATION every FOR ALL TABLES;
      """
    ),
    DependentSample(
      "indexes and constraints, which the server makes anew itself",
      """
      CREATE INDEX book_pages ON public.book (pages) WITH (fillfactor = 50);
      COMMENT ON INDEX public.book_pages IS 'mine';
      ALTER TABLE public.book ADD CONSTRAINT mine CHECK (pages > -5), ADD CONSTRAINT one UNIQUE (pages);
      CREATE TABLE public.leaf (pages integer REFERENCES public.book (pages));
      """
    ),
  ]
}
