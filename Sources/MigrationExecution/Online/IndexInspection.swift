internal import MigrationPlanning
internal import PostgresClient
internal import SQLSyntax

/// Finds the relation that has the name of an index, and whether it is that index.
struct IndexInspection {
  /// The object with the name.
  struct Found: Hashable {
    /// The table that it is of; none if it is no index.
    let table: String?
    /// Whether it is complete and used.
    let isValid: Bool
    /// The constraint that it belongs to.
    let constraint: String?
    /// The indexed columns and the options, as the server describes them.
    let shape: String?
  }

  let schema: SQLIdentifier

  /// Returns the relation with a name in the schema; none if there is none.
  func relation(
    named name: SQLIdentifier,
    _ connection: borrowing PostgresConnection
  ) throws -> Found? {
    let query: SQLFragment = """
      SELECT t.relname AS table_name, i.indisvalid AND i.indisready AND i.indislive AS valid, \
      k.conname, \(Self.shape) AS shape FROM pg_class c \
      JOIN pg_namespace n ON n.oid = c.relnamespace LEFT JOIN (pg_index i JOIN pg_class t \
      ON t.oid = i.indrelid) ON i.indexrelid = c.oid LEFT JOIN pg_constraint k \
      ON k.conindid = c.oid AND k.contype IN ('p', 'u', 'x') LEFT JOIN pg_am a ON a.oid = c.relam \
      WHERE n.nspname = \(text: schema.name) AND c.relname = \(text: name.name)
      """
    return try connection.query(query).first.map { row in
      Found(
        table: row["table_name"],
        isValid: row.boolean("valid") == true,
        constraint: row["conname"],
        shape: row["shape"]
      )
    }
  }

  /// Returns the shape that an index would have: it is created on an empty temporary table.
  func shape(
    of index: Index,
    on table: SQLIdentifier,
    _ connection: borrowing PostgresConnection
  ) throws -> String? {
    let sample = QualifiedName(schema: "pg_temp", name: "remodel_sample")
    try connection.query(
      "CREATE TEMP TABLE remodel_sample (LIKE \(QualifiedName(schema: schema, name: table)))"
    )
    try connection.query(index.creation(of: sample))
    return try connection.query(
      """
      SELECT \(Self.shape) AS shape FROM pg_class c JOIN pg_index i ON i.indexrelid = c.oid \
      JOIN pg_am a ON a.oid = c.relam WHERE c.relnamespace = pg_my_temp_schema() \
      AND c.relname = \(text: index.name.name)
      """
    ).first?["shape"]
  }

  private static var shape: SQLFragment {
    """
    concat_ws(' ', a.amname, i.indisunique, i.indnullsnotdistinct, i.indoption, i.indclass, \
    i.indcollation, (SELECT string_agg(pg_get_indexdef(i.indexrelid, p, false), ', ' ORDER BY p) \
    FROM generate_series(1, i.indnatts) AS p), pg_get_expr(i.indpred, i.indrelid))
    """
  }
}
