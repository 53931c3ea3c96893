extension DriftSample {
  static let others = [
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
