extension DriftSample {
  static let indexes = [
    DriftSample(
      "index dropped",
      "DROP INDEX public.publication_pages_idx",
      undo: "CREATE INDEX publication_pages_idx ON public.publication (pages)",
      "missing index \"publication_pages_idx\" of table \"publication\" (attribute Publication.pages)"
    ),
    DriftSample(
      "index renamed",
      "ALTER INDEX public.publication_pages_idx RENAME TO by_pages",
      undo: "ALTER INDEX public.by_pages RENAME TO publication_pages_idx",
      "renamed index \"publication_pages_idx\" of table \"publication\" "
        + "(attribute Publication.pages)"
    ),
    DriftSample(
      "index of other columns",
      """
      DROP INDEX public.publication_pages_idx;
      CREATE INDEX publication_pages_idx ON public.publication (pages, title)
      """,
      undo: """
        DROP INDEX public.publication_pages_idx;
        CREATE INDEX publication_pages_idx ON public.publication (pages)
        """,
      "changed index \"publication_pages_idx\" of table \"publication\" (attribute Publication.pages)"
    ),
    DriftSample(
      "index of another method",
      """
      DROP INDEX public.publication_pages_idx;
      CREATE INDEX publication_pages_idx ON public.publication USING hash (pages)
      """,
      undo: """
        DROP INDEX public.publication_pages_idx;
        CREATE INDEX publication_pages_idx ON public.publication (pages)
        """,
      "changed index \"publication_pages_idx\" of table \"publication\" (attribute Publication.pages)"
    ),
    DriftSample(
      "index becomes unique",
      """
      DROP INDEX public.publication_pages_idx;
      CREATE UNIQUE INDEX publication_pages_idx ON public.publication (pages)
      """,
      undo: """
        DROP INDEX public.publication_pages_idx;
        CREATE INDEX publication_pages_idx ON public.publication (pages)
        """,
      "changed index \"publication_pages_idx\" of table \"publication\" (attribute Publication.pages)"
    ),
    DriftSample(
      "index of other rows",
      """
      DROP INDEX public.publication_title_idx;
      CREATE INDEX publication_title_idx ON public.publication (title) WHERE pages > 4
      """,
      undo: """
        DROP INDEX public.publication_title_idx;
        CREATE INDEX publication_title_idx ON public.publication (title) WHERE pages > 3
        """,
      "changed index \"publication_title_idx\" of table \"publication\" (attribute Publication.title)"
    ),
    DriftSample(
      "index that is not valid",
      "UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'public.publication_pages_idx'::regclass",
      undo: "REINDEX INDEX public.publication_pages_idx",
      "changed index \"publication_pages_idx\" of table \"publication\" (attribute Publication.pages)"
    ),
    DriftSample(
      "index added",
      "CREATE INDEX mine ON public.tag (name)",
      undo: "DROP INDEX public.mine",
      "extra index \"mine\" of table \"tag\" (entity Tag)"
    ),
  ]
}
