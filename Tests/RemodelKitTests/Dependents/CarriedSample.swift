import SQLSyntax
import Testing

/// Settings and dependent objects of a table `public.book`, by the cases that they test.
struct CarriedSample: CustomTestStringConvertible, Sendable {
  let testDescription: String
  let statements: SQLFragment

  private init(_ description: String, _ statements: SQLFragment) {
    testDescription = description
    self.statements = statements
  }

  static let all: [CarriedSample] = [
    CarriedSample(
      "an owner, grants of all sorts and defaults of the migrating role",
      """
      ALTER TABLE public.book OWNER TO dep_owner;
      GRANT SELECT, INSERT ON public.book TO dep_reader WITH GRANT OPTION;
      GRANT SELECT ON public.book TO PUBLIC;
      GRANT UPDATE (title, pages), REFERENCES (isbn) ON public.book TO "dep ""odd"" role";
      GRANT USAGE ON SEQUENCE public.book__id_seq TO dep_reader;
      REVOKE TRUNCATE ON public.book FROM dep_owner;
      ALTER DEFAULT PRIVILEGES GRANT DELETE ON TABLES TO dep_reader;
      """
    ),
    CarriedSample(
      "comments on everything",
      """
      COMMENT ON TABLE public.book IS 'it''s a book';
      COMMENT ON COLUMN public.book.title IS 'what; it "says"';
      COMMENT ON CONSTRAINT book_pkey ON public.book IS 'the key';
      COMMENT ON CONSTRAINT book_isbn_key ON public.book IS 'unique';
      COMMENT ON INDEX public.book_pkey IS 'the index of the key';
      COMMENT ON SEQUENCE public.book__id_seq IS 'numbers';
      """
    ),
    CarriedSample(
      "row security with its policies",
      """
      ALTER TABLE public.book ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
      CREATE POLICY short ON public.book FOR SELECT TO dep_reader USING (pages < 100);
      ALTER TABLE public.author ENABLE ROW LEVEL SECURITY;
      CREATE POLICY known ON public.author
        USING (EXISTS (SELECT FROM public.book WHERE book.title = author.name));
      """
    ),
    CarriedSample(
      "storage parameters and what is kept of columns",
      """
      ALTER TABLE public.book SET (fillfactor = 70, autovacuum_enabled = false,
        toast.autovacuum_vacuum_threshold = 77);
      ALTER TABLE public.book ALTER COLUMN title SET STATISTICS 77, ALTER COLUMN title SET STORAGE
        EXTERNAL, ALTER COLUMN isbn SET COMPRESSION pglz, ALTER COLUMN pages SET (n_distinct = 5);
      """
    ),
    CarriedSample(
      "a table without a log, clustered, whose rows subscribers see whole",
      """
      ALTER TABLE public.book SET UNLOGGED;
      ALTER TABLE public.book CLUSTER ON book_pkey, REPLICA IDENTITY FULL;
      """
    ),
    CarriedSample(
      "indexes of the model's that are marked",
      """
      ALTER TABLE public.book CLUSTER ON book_isbn_key;
      ALTER TABLE public.book REPLICA IDENTITY USING INDEX book_pkey;
      """
    ),
    CarriedSample(
      "indexes of others that are marked",
      """
      CREATE UNIQUE INDEX mine ON public.book (_id, title) WITH (fillfactor = 50);
      ALTER TABLE public.book CLUSTER ON mine, REPLICA IDENTITY USING INDEX mine;
      COMMENT ON INDEX public.mine IS 'mine';
      CREATE INDEX odd ON public.book (lower(title), pages DESC NULLS LAST) WHERE pages > 3;
      ALTER INDEX public.odd ALTER COLUMN 1 SET STATISTICS 33;
      """
    ),
    CarriedSample(
      "constraints of others, and keys of other tables",
      """
      ALTER TABLE public.book ADD CONSTRAINT positive CHECK (pages > 0) NOT VALID,
        ADD CONSTRAINT whole UNIQUE (title, pages) DEFERRABLE,
        ADD CONSTRAINT apart EXCLUDE (title WITH =) WHERE (pages > 1000);
      COMMENT ON CONSTRAINT whole ON public.book IS 'whole';
      ALTER TABLE public.book ADD CONSTRAINT author FOREIGN KEY (_id) REFERENCES public.author NOT VALID;
      CREATE UNIQUE INDEX by_title ON public.book (title);
      CREATE TABLE public.loan (book bigint REFERENCES public.book ON DELETE CASCADE,
        title text REFERENCES public.book (title), isbn text REFERENCES public.book (isbn));
      INSERT INTO public.loan VALUES (1, 'Emma', NULL);
      """
    ),
    CarriedSample(
      "functions of the type of its rows",
      """
      CREATE FUNCTION public.describe(public.book) RETURNS text LANGUAGE sql STABLE
        AS 'SELECT $1.title';
      CREATE FUNCTION public.books() RETURNS SETOF public.book LANGUAGE sql STABLE
        AS 'SELECT * FROM public.book';
      CREATE VIEW public.described AS SELECT public.describe(b) AS text FROM public.book b;
      """
    ),
  ]

  /// What is refused, and what of it is named.
  static let refused: [(sample: CarriedSample, names: [String])] = [
    (
      CarriedSample(
        "a column of others, and a view of it",
        """
        ALTER TABLE public.book ADD COLUMN shelf text;
        CREATE VIEW public.shelved AS SELECT shelf FROM public.book;
        """
      ),
      ["table column public.book.shelf", "view public.shelved"]
    ),
    (
      CarriedSample(
        "a publication of all tables",
        "CREATE PUBLICATION every FOR ALL TABLES"
      ),
      ["publication every"]
    ),
    (
      CarriedSample(
        "a child",
        "CREATE TABLE public.tome (volumes integer) INHERITS (public.book)"
      ),
      ["table public.book", "table public.tome"]
    ),
    (
      CarriedSample(
        "a parent",
        "CREATE TABLE public.thing (); ALTER TABLE public.book INHERIT public.thing"
      ),
      ["table public.book"]
    ),
    (
      CarriedSample(
        "stored rows",
        "CREATE TABLE public.box (book public.book)"
      ),
      ["table column public.box.book"]
    ),
    (
      CarriedSample(
        "keys that another table takes",
        "CREATE TABLE public.note (id bigint DEFAULT nextval('public.book__id_seq'))"
      ),
      ["default value for public.note.id"]
    ),
    (
      CarriedSample(
        "a view of a column that goes",
        "CREATE VIEW public.rest AS SELECT worn FROM public.book"
      ),
      ["view public.rest"]
    ),
    (
      CarriedSample(
        "privileges that somebody else granted",
        """
        GRANT SELECT ON public.book TO dep_reader WITH GRANT OPTION;
        SET ROLE dep_reader; GRANT SELECT ON public.book TO PUBLIC; RESET ROLE;
        """
      ),
      ["table public.book"]
    ),
    (
      CarriedSample(
        "an operator class of its rows",
        """
        CREATE FUNCTION public.same(public.book, public.book) RETURNS boolean LANGUAGE sql
          AS 'SELECT $1._id = $2._id';
        CREATE OPERATOR public.=== (LEFTARG = public.book, RIGHTARG = public.book,
          FUNCTION = public.same);
        """
      ),
      ["operator public.===(public.book,public.book)"]
    ),
  ]
}
