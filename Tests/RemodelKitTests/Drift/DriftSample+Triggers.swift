extension DriftSample {
  static let triggers = [
    DriftSample(
      "trigger disabled",
      "ALTER TABLE public.author DISABLE TRIGGER author_book_count_derive",
      undo: "ALTER TABLE public.author ENABLE TRIGGER author_book_count_derive",
      "changed trigger \"author_book_count_derive\" of table \"author\" (attribute Author.bookCount)"
    ),
    DriftSample(
      "trigger of another table than what it keeps",
      "ALTER TABLE public.publication DISABLE TRIGGER publication_author_book_count_delete",
      undo: "ALTER TABLE public.publication ENABLE TRIGGER publication_author_book_count_delete",
      "changed trigger \"publication_author_book_count_delete\" of table \"publication\" "
        + "(attribute Author.bookCount)"
    ),
    DriftSample(
      "trigger dropped",
      "DROP TRIGGER author_book_count_derive ON public.author",
      undo: """
        CREATE TRIGGER author_book_count_derive BEFORE INSERT OR UPDATE OF book_count ON public.author
          FOR EACH ROW EXECUTE FUNCTION public.author_book_count_derive()
        """,
      "missing trigger \"author_book_count_derive\" of table \"author\" (attribute Author.bookCount)"
    ),
    DriftSample(
      "trigger renamed",
      "ALTER TRIGGER author_book_count_derive ON public.author RENAME TO counting",
      undo: "ALTER TRIGGER counting ON public.author RENAME TO author_book_count_derive",
      "renamed trigger \"author_book_count_derive\" of table \"author\" (attribute Author.bookCount)"
    ),
    DriftSample(
      "trigger and function dropped",
      "DROP FUNCTION public.publication_author_book_count_delete() CASCADE",
      undo: """
        DO $$ BEGIN EXECUTE (SELECT definition->>'definition' FROM remodel.object_definition
          WHERE kind = 'function' AND name = 'publication_author_book_count_delete');
        EXECUTE (SELECT definition->>'definition' FROM remodel.object_definition
          WHERE kind = 'trigger' AND name = 'publication_author_book_count_delete'); END $$
        """,
      "missing trigger \"publication_author_book_count_delete\" of table \"publication\" "
        + "(attribute Author.bookCount)",
      "missing function \"publication_author_book_count_delete\" of table \"publication\" "
        + "(attribute Author.bookCount)"
    ),
    DriftSample(
      "trigger added",
      """
      CREATE FUNCTION public.nothing() RETURNS trigger LANGUAGE plpgsql AS
        'BEGIN RETURN NULL; END';
      CREATE TRIGGER mine AFTER INSERT ON public.tag EXECUTE FUNCTION public.nothing()
      """,
      undo: "DROP FUNCTION public.nothing() CASCADE",
      "extra trigger \"mine\" of table \"tag\" (entity Tag)"
    ),
    DriftSample(
      "body of a function changed",
      """
      DO $$ BEGIN EXECUTE replace(pg_get_functiondef('public.author_book_count_derive()'::regprocedure),
        'RETURN NEW', 'NEW.name := upper(NEW.name); RETURN NEW'); END $$
      """,
      undo: """
        DO $$ BEGIN EXECUTE replace(pg_get_functiondef('public.author_book_count_derive()'::regprocedure),
          'NEW.name := upper(NEW.name); RETURN NEW', 'RETURN NEW'); END $$
        """,
      "changed function \"author_book_count_derive\" of table \"author\" (attribute Author.bookCount)"
    ),
    DriftSample(
      "function with other rights",
      "ALTER FUNCTION public.author_book_count_derive() SECURITY DEFINER",
      undo: "ALTER FUNCTION public.author_book_count_derive() SECURITY INVOKER",
      "changed function \"author_book_count_derive\" of table \"author\" (attribute Author.bookCount)"
    ),
  ]
}
