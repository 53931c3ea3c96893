import Testing

/// Something that people do to a database behind the tool's back, what undoes it, and what is to be
/// said of it.
struct DriftSample: CustomTestStringConvertible, Sendable {
  let name: String
  let sql: String
  let undo: String
  /// What is to be named: how it differs, the object, and what in the model it is.
  let finds: Set<String>

  init(_ name: String, _ sql: String, undo: String, _ finds: String...) {
    self.name = name
    self.sql = sql
    self.undo = undo
    self.finds = Set(finds)
  }

  var testDescription: String { name }

  /// The versions of the model; the second one leaves a column and a table retained.
  static let versions = [
    second
      .replacing("pages: integer32?\n", with: "pages: integer32?\n      subtitle: string?\n")
      .replacing("  Shelf:", with: "  Label:\n    attributes: { name: string }\n  Shelf:"),
    second,
  ]

  private static let second = """
    remodel: 1
    entities:
      Author:
        attributes:
          name: string
          bookCount: { type: integer64, derivation: "books.@count" }
        relationships:
          books: { toMany: Publication, inverse: author, ordered: true, delete: cascade }
        unique: [[name]]
      Publication:
        abstract: true
        attributes:
          title: { type: string, default: untitled }
          binding: { type: "enum(hard, soft)", default: soft }
          pages: integer32?
          doubled: { type: integer64?, derivation: "pages * 2" }
        relationships:
          author: { to: Author?, inverse: books }
          tags: { toMany: Tag, inverse: publications }
        indexes:
          byTitle: { elements: [title], where: "pages > 3" }
          byPages: [pages]
      Book:
        parent: Publication
        attributes: { isbn: string? }
        unique: [[isbn]]
      Magazine: { parent: Publication }
      Tag:
        attributes: { name: string }
        relationships:
          publications: { toMany: Publication, inverse: tags, maximum: 2 }
      Shelf:
        attributes: { place: string }
        relationships:
          favourite: { to: Book? }
    """

  static let all = columns + constraints + indexes + triggers + tables + others
}

// MARK: - Samples

extension DriftSample {
  private static let columns = [
    DriftSample(
      "column added",
      "ALTER TABLE public.tag ADD COLUMN note text",
      undo: "ALTER TABLE public.tag DROP COLUMN note",
      "extra column \"note\" of table \"tag\" (entity Tag)"
    ),
    DriftSample(
      "column dropped",
      "ALTER TABLE public.shelf DROP COLUMN place",
      undo: "ALTER TABLE public.shelf ADD COLUMN place text NOT NULL",
      "missing column \"place\" of table \"shelf\" (attribute Shelf.place)"
    ),
    DriftSample(
      "column of a foreign key dropped",
      "ALTER TABLE public.shelf DROP COLUMN favourite",
      undo: """
        ALTER TABLE public.shelf ADD COLUMN favourite bigint;
        ALTER TABLE public.shelf ADD CONSTRAINT shelf_favourite_fkey FOREIGN KEY (favourite)
          REFERENCES public.publication (_id) ON DELETE SET NULL DEFERRABLE;
        CREATE INDEX shelf_favourite_idx ON public.shelf (favourite)
        """,
      "missing column \"favourite\" of table \"shelf\" (relationship Shelf.favourite)",
      "missing constraint \"shelf_favourite_fkey\" of table \"shelf\" (relationship Shelf.favourite)",
      "missing index \"shelf_favourite_idx\" of table \"shelf\" (relationship Shelf.favourite)"
    ),
    DriftSample(
      "column renamed",
      "ALTER TABLE public.tag RENAME COLUMN name TO label",
      undo: "ALTER TABLE public.tag RENAME COLUMN label TO name",
      "renamed column \"name\" of table \"tag\" (attribute Tag.name)"
    ),
    DriftSample(
      "column renamed that an index is of",
      "ALTER TABLE public.publication RENAME COLUMN book_isbn TO number",
      undo: "ALTER TABLE public.publication RENAME COLUMN number TO book_isbn",
      "renamed column \"book_isbn\" of table \"publication\" (attribute Book.isbn)"
    ),
    DriftSample(
      "column retyped",
      "ALTER TABLE public.tag ALTER name TYPE character varying(80)",
      undo: "ALTER TABLE public.tag ALTER name TYPE text",
      "changed column \"name\" of table \"tag\" (attribute Tag.name)"
    ),
    DriftSample(
      "column becomes nullable",
      "ALTER TABLE public.tag ALTER name DROP NOT NULL",
      undo: "ALTER TABLE public.tag ALTER name SET NOT NULL",
      "changed column \"name\" of table \"tag\" (attribute Tag.name)"
    ),
    DriftSample(
      "column becomes required",
      "ALTER TABLE public.publication ALTER author SET NOT NULL",
      undo: "ALTER TABLE public.publication ALTER author DROP NOT NULL",
      "changed column \"author\" of table \"publication\" (relationship Publication.author)"
    ),
    DriftSample(
      "default dropped",
      "ALTER TABLE public.publication ALTER title DROP DEFAULT",
      undo: "ALTER TABLE public.publication ALTER title SET DEFAULT 'untitled'::text",
      "changed column \"title\" of table \"publication\" (attribute Publication.title)"
    ),
    DriftSample(
      "default added",
      "ALTER TABLE public.tag ALTER name SET DEFAULT 'new'",
      undo: "ALTER TABLE public.tag ALTER name DROP DEFAULT",
      "changed column \"name\" of table \"tag\" (attribute Tag.name)"
    ),
    DriftSample(
      "default changed",
      "ALTER TABLE public.publication ALTER title SET DEFAULT 'unnamed'",
      undo: "ALTER TABLE public.publication ALTER title SET DEFAULT 'untitled'::text",
      "changed column \"title\" of table \"publication\" (attribute Publication.title)"
    ),
    DriftSample(
      "collation changed",
      "ALTER TABLE public.tag ALTER name TYPE text COLLATE \"C\"",
      undo: "ALTER TABLE public.tag ALTER name TYPE text COLLATE \"default\"",
      "changed column \"name\" of table \"tag\" (attribute Tag.name)"
    ),
    DriftSample(
      "identity is always generated",
      "ALTER TABLE public.tag ALTER _id SET GENERATED ALWAYS",
      undo: "ALTER TABLE public.tag ALTER _id SET GENERATED BY DEFAULT",
      "changed column \"_id\" of table \"tag\" (entity Tag)"
    ),
    DriftSample(
      "identity dropped",
      "ALTER TABLE public.tag ALTER _id DROP IDENTITY",
      undo: """
        ALTER TABLE public.tag ALTER _id ADD GENERATED BY DEFAULT AS IDENTITY
          (SEQUENCE NAME public.tag__id_seq)
        """,
      "changed column \"_id\" of table \"tag\" (entity Tag)",
      "missing sequence \"tag__id_seq\" of table \"tag\" (entity Tag)"
    ),
    DriftSample(
      "generated column made a plain one",
      "ALTER TABLE public.publication ALTER doubled DROP EXPRESSION",
      undo: """
        ALTER TABLE public.publication DROP COLUMN doubled;
        DO $$ BEGIN EXECUTE (SELECT format('ALTER TABLE public.publication ADD COLUMN doubled bigint '
          'GENERATED ALWAYS AS %s', definition->>'generation') FROM remodel.object_definition
          WHERE name = 'doubled'); END $$
        """,
      "changed column \"doubled\" of table \"publication\" (attribute Publication.doubled)"
    ),
    DriftSample(
      "retained column dropped",
      "ALTER TABLE public.publication DROP COLUMN subtitle",
      undo: "ALTER TABLE public.publication ADD COLUMN subtitle text",
      "missing column \"subtitle\" of table \"publication\" (entity Publication)"
    ),
  ]

  private static let constraints = [
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

  private static let indexes = [
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

  private static let triggers = [
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

  private static let tables = [
    DriftSample(
      "table dropped",
      "DROP TABLE public.shelf",
      undo: """
        CREATE TABLE public.shelf (
          _id bigint CONSTRAINT shelf__id_not_null NOT NULL GENERATED BY DEFAULT AS IDENTITY
            (SEQUENCE NAME public.shelf__id_seq),
          place text CONSTRAINT shelf_place_not_null NOT NULL, favourite bigint,
          CONSTRAINT shelf_pkey PRIMARY KEY (_id),
          CONSTRAINT shelf_favourite_fkey FOREIGN KEY (favourite)
            REFERENCES public.publication (_id) ON DELETE SET NULL DEFERRABLE);
        CREATE INDEX shelf_favourite_idx ON public.shelf (favourite)
        """,
      "missing table \"shelf\" (entity Shelf)"
    ),
    DriftSample(
      "table renamed",
      "ALTER TABLE public.tag RENAME TO labels",
      undo: "ALTER TABLE public.labels RENAME TO tag",
      "renamed table \"tag\" (entity Tag)"
    ),
    DriftSample(
      "table moved to another schema",
      "CREATE SCHEMA elsewhere; ALTER TABLE public.tag SET SCHEMA elsewhere",
      undo: "ALTER TABLE elsewhere.tag SET SCHEMA public; DROP SCHEMA elsewhere",
      "renamed table \"tag\" (entity Tag)"
    ),
    DriftSample(
      "table unlogged",
      "ALTER TABLE public.shelf SET UNLOGGED",
      undo: "ALTER TABLE public.shelf SET LOGGED",
      "changed table \"shelf\" (entity Shelf)"
    ),
    DriftSample(
      "row security switched on",
      "ALTER TABLE public.shelf ENABLE ROW LEVEL SECURITY",
      undo: "ALTER TABLE public.shelf DISABLE ROW LEVEL SECURITY",
      "changed table \"shelf\" (entity Shelf)"
    ),
    DriftSample(
      "replica identity changed",
      "ALTER TABLE public.shelf REPLICA IDENTITY FULL",
      undo: "ALTER TABLE public.shelf REPLICA IDENTITY DEFAULT",
      "changed table \"shelf\" (entity Shelf)"
    ),
    DriftSample(
      "table inherits",
      """
      CREATE TABLE public.furniture (place text NOT NULL);
      ALTER TABLE public.shelf INHERIT public.furniture
      """,
      undo: """
        ALTER TABLE public.shelf NO INHERIT public.furniture;
        DROP TABLE public.furniture
        """,
      "changed table \"shelf\" (entity Shelf)"
    ),
    DriftSample(
      "table with a child",
      "CREATE TABLE public.old_shelf () INHERITS (public.shelf)",
      undo: "DROP TABLE public.old_shelf",
      "extra child public.old_shelf of table \"shelf\" (entity Shelf)"
    ),
    DriftSample(
      "retained table dropped",
      "DROP TABLE public.label",
      undo: "CREATE TABLE public.label (_id bigint PRIMARY KEY, name text)",
      "missing table \"label\""
    ),
    DriftSample(
      "table of links dropped",
      "ALTER TABLE public.publication_tags RENAME TO marks",
      undo: "ALTER TABLE public.marks RENAME TO publication_tags",
      "renamed table \"publication_tags\" (relationship Publication.tags)"
    ),
  ]

  private static let others = [
    DriftSample(
      "increment of a sequence changed",
      "ALTER SEQUENCE public.tag__id_seq INCREMENT BY 10",
      undo: "ALTER SEQUENCE public.tag__id_seq INCREMENT BY 1",
      "changed sequence \"tag__id_seq\" of table \"tag\" (entity Tag)"
    ),
    DriftSample(
      "sequence goes round",
      "ALTER SEQUENCE public.tag__id_seq MAXVALUE 1000 CYCLE",
      undo: "ALTER SEQUENCE public.tag__id_seq NO MAXVALUE NO CYCLE",
      "changed sequence \"tag__id_seq\" of table \"tag\" (entity Tag)"
    ),
    DriftSample(
      "sequence renamed",
      "ALTER SEQUENCE public.tag__id_seq RENAME TO numbers",
      undo: "ALTER SEQUENCE public.numbers RENAME TO tag__id_seq",
      "renamed sequence \"tag__id_seq\" of table \"tag\" (entity Tag)"
    ),
    DriftSample(
      "rule added",
      "CREATE RULE quiet AS ON DELETE TO public.tag DO INSTEAD NOTHING",
      undo: "DROP RULE quiet ON public.tag",
      "extra rule \"quiet\" of table \"tag\" (entity Tag)"
    ),
    DriftSample(
      "policy added",
      "CREATE POLICY mine ON public.tag USING (name = current_user)",
      undo: "DROP POLICY mine ON public.tag",
      "extra policy \"mine\" of table \"tag\" (entity Tag)"
    ),
    DriftSample(
      "hash in the metadata changed",
      """
      CREATE TABLE public.saved_hash AS SELECT entity_version_hashes->>'Tag' AS hash FROM remodel.store;
      UPDATE remodel.store SET entity_version_hashes =
        jsonb_set(entity_version_hashes::jsonb, '{Tag}', '"v1:0"')::json
      """,
      undo: """
        UPDATE remodel.store SET entity_version_hashes = jsonb_set(entity_version_hashes::jsonb, '{Tag}',
          (SELECT to_jsonb(hash) FROM public.saved_hash))::json; DROP TABLE public.saved_hash
        """,
      "changed version hash of entity \"Tag\" in the metadata"
    ),
    DriftSample(
      "table in the metadata forgotten",
      "DELETE FROM remodel.store_table WHERE table_name = 'tag'",
      undo: "INSERT INTO remodel.store_table SELECT id, 'tag' FROM remodel.store",
      "missing entry of table \"tag\" in the metadata"
    ),
    DriftSample(
      "table in the metadata added",
      "INSERT INTO remodel.store_table SELECT id, 'alien' FROM remodel.store",
      undo: "DELETE FROM remodel.store_table WHERE table_name = 'alien'",
      "extra entry of table \"alien\" in the metadata"
    ),
    DriftSample(
      "model in the metadata changed",
      """
      UPDATE remodel.model_version SET model = replace(model::text, '"place"', '"stand"')::json
        WHERE version_name = '2'
      """,
      undo: """
        UPDATE remodel.model_version SET model = replace(model::text, '"stand"', '"place"')::json
          WHERE version_name = '2'
        """,
      "changed model of version \"2\" in the metadata",
      "changed version hash of entity \"Shelf\" in the metadata",
      "missing column \"stand\" of table \"shelf\" (attribute Shelf.stand)",
      "extra column \"place\" of table \"shelf\" (entity Shelf)"
    ),
  ]
}
