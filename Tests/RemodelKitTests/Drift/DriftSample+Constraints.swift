extension DriftSample {
  static let constraints = [
    DriftSample(
      "primary key dropped",
      "ALTER TABLE public.tag DROP CONSTRAINT tag_pkey CASCADE",
      undo: """
        ALTER TABLE public.tag ADD CONSTRAINT tag_pkey PRIMARY KEY (_id);
        ALTER TABLE public.publication_tags ADD CONSTRAINT publication_tags_tags_fkey
          FOREIGN KEY (tags) REFERENCES public.tag (_id) ON DELETE CASCADE DEFERRABLE
        """,
      "missing constraint \"tag_pkey\" of table \"tag\" (entity Tag)",
      "missing constraint \"publication_tags_tags_fkey\" of table \"publication_tags\" "
        + "(relationship Publication.tags)"
    ),
    DriftSample(
      "uniqueness dropped",
      "ALTER TABLE public.author DROP CONSTRAINT author_name_key",
      undo: "ALTER TABLE public.author ADD CONSTRAINT author_name_key UNIQUE (name)",
      "missing constraint \"author_name_key\" of table \"author\" (attribute Author.name)"
    ),
    DriftSample(
      "uniqueness of other columns",
      """
      ALTER TABLE public.author DROP CONSTRAINT author_name_key,
        ADD CONSTRAINT author_name_key UNIQUE (name, book_count)
      """,
      undo: """
        ALTER TABLE public.author DROP CONSTRAINT author_name_key,
          ADD CONSTRAINT author_name_key UNIQUE (name)
        """,
      "changed constraint \"author_name_key\" of table \"author\" (attribute Author.name)"
    ),
    DriftSample(
      "uniqueness added",
      "ALTER TABLE public.tag ADD CONSTRAINT only_one UNIQUE (name)",
      undo: "ALTER TABLE public.tag DROP CONSTRAINT only_one",
      "extra constraint \"only_one\" of table \"tag\" (entity Tag)"
    ),
    DriftSample(
      "check added",
      "ALTER TABLE public.tag ADD CONSTRAINT short CHECK (length(name) < 80)",
      undo: "ALTER TABLE public.tag DROP CONSTRAINT short",
      "extra constraint \"short\" of table \"tag\" (entity Tag)"
    ),
    DriftSample(
      "exclusion added",
      "ALTER TABLE public.tag ADD CONSTRAINT apart EXCLUDE (name WITH =)",
      undo: "ALTER TABLE public.tag DROP CONSTRAINT apart",
      "extra constraint \"apart\" of table \"tag\" (entity Tag)"
    ),
    DriftSample(
      "constraint renamed",
      "ALTER TABLE public.author RENAME CONSTRAINT author_name_key TO author_unique",
      undo: "ALTER TABLE public.author RENAME CONSTRAINT author_unique TO author_name_key",
      "renamed constraint \"author_name_key\" of table \"author\" (attribute Author.name)"
    ),
    DriftSample(
      "foreign key not validated",
      """
      ALTER TABLE public.shelf DROP CONSTRAINT shelf_favourite_fkey;
      ALTER TABLE public.shelf ADD CONSTRAINT shelf_favourite_fkey FOREIGN KEY (favourite)
        REFERENCES public.publication (_id) ON DELETE SET NULL DEFERRABLE NOT VALID
      """,
      undo: "ALTER TABLE public.shelf VALIDATE CONSTRAINT shelf_favourite_fkey",
      "changed constraint \"shelf_favourite_fkey\" of table \"shelf\" (relationship Shelf.favourite)"
    ),
    DriftSample(
      "delete rule changed",
      """
      ALTER TABLE public.shelf DROP CONSTRAINT shelf_favourite_fkey;
      ALTER TABLE public.shelf ADD CONSTRAINT shelf_favourite_fkey FOREIGN KEY (favourite)
        REFERENCES public.publication (_id) ON DELETE CASCADE DEFERRABLE
      """,
      undo: """
        ALTER TABLE public.shelf DROP CONSTRAINT shelf_favourite_fkey;
        ALTER TABLE public.shelf ADD CONSTRAINT shelf_favourite_fkey FOREIGN KEY (favourite)
          REFERENCES public.publication (_id) ON DELETE SET NULL DEFERRABLE
        """,
      "changed constraint \"shelf_favourite_fkey\" of table \"shelf\" (relationship Shelf.favourite)"
    ),
    DriftSample(
      "foreign key no longer deferrable",
      "ALTER TABLE public.shelf ALTER CONSTRAINT shelf_favourite_fkey NOT DEFERRABLE",
      undo: "ALTER TABLE public.shelf ALTER CONSTRAINT shelf_favourite_fkey DEFERRABLE",
      "changed constraint \"shelf_favourite_fkey\" of table \"shelf\" (relationship Shelf.favourite)"
    ),
    DriftSample(
      "foreign key to another table",
      """
      ALTER TABLE public.shelf DROP CONSTRAINT shelf_favourite_fkey;
      ALTER TABLE public.shelf ADD CONSTRAINT shelf_favourite_fkey FOREIGN KEY (favourite)
        REFERENCES public.tag (_id) ON DELETE SET NULL DEFERRABLE
      """,
      undo: """
        ALTER TABLE public.shelf DROP CONSTRAINT shelf_favourite_fkey;
        ALTER TABLE public.shelf ADD CONSTRAINT shelf_favourite_fkey FOREIGN KEY (favourite)
          REFERENCES public.publication (_id) ON DELETE SET NULL DEFERRABLE
        """,
      "changed constraint \"shelf_favourite_fkey\" of table \"shelf\" (relationship Shelf.favourite)"
    ),
    DriftSample(
      "triggers of a foreign key disabled",
      "ALTER TABLE public.shelf DISABLE TRIGGER ALL",
      undo: "ALTER TABLE public.shelf ENABLE TRIGGER ALL",
      "changed constraint \"shelf_favourite_fkey\" of table \"shelf\" (relationship Shelf.favourite)"
    ),
    DriftSample(
      "enumeration widened",
      """
      ALTER TABLE public.publication DROP CONSTRAINT publication_binding_check,
        ADD CONSTRAINT publication_binding_check CHECK (binding IN ('hard', 'soft', 'none'))
      """,
      undo: """
        ALTER TABLE public.publication DROP CONSTRAINT publication_binding_check,
          ADD CONSTRAINT publication_binding_check CHECK (binding IN ('hard', 'soft'))
        """,
      "changed constraint \"publication_binding_check\" of table \"publication\" "
        + "(attribute Publication.binding)"
    ),
    DriftSample(
      "kinds of a hierarchy widened",
      "ALTER TABLE public.publication DROP CONSTRAINT publication__entity_check",
      undo: """
        ALTER TABLE public.publication ADD CONSTRAINT publication__entity_check
          CHECK (_entity IN ('Book', 'Magazine'))
        """,
      "missing constraint \"publication__entity_check\" of table \"publication\" (entity Publication)"
    ),
  ]
}
