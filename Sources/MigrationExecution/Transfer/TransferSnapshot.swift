internal import MigrationPlanning
internal import PostgresClient
internal import SQLSyntax

/// The state of the source that the rows are of.
struct TransferSnapshot {
  /// The server, its history and the database; `nil` if the role may not see them.
  let server: String?
  /// Every transaction before this one had ended.
  let oldest: Int
  /// The first transaction that had not begun.
  let next: Int
  /// The time of the source.
  let time: String
  /// The name by which other sessions read the same snapshot; `nil` if there are none.
  let name: String?
  let tables: [SQLIdentifier: TransferTableForm]

  /// Reads the state in a transaction that has locked the tables.
  init(
    of store: StoreIdentity,
    server: String?,
    isShared: Bool,
    _ connection: borrowing PostgresConnection
  ) throws {
    let row = try connection.query(
      """
      SELECT pg_snapshot_xmin(s) AS oldest, pg_snapshot_xmax(s) AS next, \
      to_char(statement_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS time \
      FROM pg_current_snapshot() AS s
      """
    ).first
    self.server = server
    oldest = row?.integer("oldest") ?? 0
    next = row?.integer("next") ?? 0
    time = row?["time"] ?? ""
    name = try isShared ? connection.query("SELECT pg_export_snapshot()").value : nil
    tables = try TransferTableForm.all(in: store.schema, connection)
  }

  /// Returns what tells a server and its history from all others, so that its transactions have
  /// numbers of their own.
  static func server(_ connection: borrowing PostgresConnection) -> String? {
    // A clone of the server has another timeline once it accepts writes.
    let found = try? connection.query(
      """
      SELECT concat_ws(' ', (SELECT system_identifier FROM pg_control_system()), \
      left(pg_walfile_name(pg_current_wal_lsn()), 8), d.oid) AS server \
      FROM pg_database d WHERE d.datname = current_database()
      """
    ).value
    return found ?? nil
  }

  /// Returns the statement that counts the rows of a table, and those that transactions may have
  /// written which had not ended at an earlier snapshot.
  ///
  /// Rows have the lower half of the number of their transaction. A row that has changed has the
  /// number of a later one, and one that was deleted is missing.
  static func comparison(_ table: QualifiedName, since oldest: Int) -> SQLFragment {
    """
    SELECT count(*) AS rows, count(*) FILTER \
    (WHERE ((xmin::text::bigint - \(oldest)) & 4294967295) < 2147483648) AS written FROM \(table)
    """
  }

  /// Returns about how many rows some tables have; `nil` if one was never analyzed.
  func rows(of names: [SQLIdentifier]) -> Int? {
    names.reduce(0) { sum, name in sum.flatMap { sum in tables[name]?.rows.map { sum + $0 } } }
  }

  /// Returns whether rows tell whether they were written since an earlier snapshot.
  func isComparable(since oldest: Int) -> Bool {
    next >= oldest && next - oldest < 2_000_000_000
  }
}

/// What rows of a table look like to `COPY`.
struct TransferTableForm {
  let id: String
  /// Whether rows may be in other tables, of which it is the parent.
  let hasParts: Bool
  let size: Int
  /// The rows as estimated; `nil` if the table was never analyzed.
  let rows: Int?
  /// The types of the columns; those that are not the server's own are left out.
  private(set) var types: [SQLIdentifier: String]

  /// Reads the tables of a schema.
  static func all(
    in schema: SQLIdentifier,
    _ connection: borrowing PostgresConnection
  ) throws -> [SQLIdentifier: TransferTableForm] {
    let rows = try connection.query(
      """
      SELECT c.relname, c.oid, c.has_parts, c.size, c.rows, a.attname, \
      CASE WHEN t.typnamespace = 'pg_catalog'::regnamespace \
      THEN format_type(a.atttypid, a.atttypmod) END AS type \
      FROM (SELECT c.oid, c.relname, c.relkind = 'p' OR c.relhassubclass AS has_parts, \
      pg_relation_size(c.oid) AS size, c.reltuples::bigint AS rows FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace \
      WHERE n.nspname = \(text: schema.name) AND c.relkind IN ('r', 'p') OFFSET 0) c \
      JOIN pg_attribute a ON a.attrelid = c.oid JOIN pg_type t ON t.oid = a.atttypid \
      WHERE a.attnum > 0 AND NOT a.attisdropped
      """
    )
    var forms: [SQLIdentifier: TransferTableForm] = [:]
    for row in rows {
      guard let name = row["relname"], let column = row["attname"] else { continue }
      forms[
        SQLIdentifier(name),
        default: TransferTableForm(
          id: row["oid"] ?? "",
          hasParts: row.boolean("has_parts") == true,
          size: row.integer("size") ?? 0,
          rows: row.integer("rows").flatMap { $0 < 0 ? nil : $0 },
          types: [:]
        )
      ].types[SQLIdentifier(column)] = row["type"]
    }
    return forms
  }

  /// Returns whether the binary form of rows means the same in another table: that of a type may
  /// be that of another value of another type.
  func hasBinaryForm(of columns: [SQLIdentifier], as other: TransferTableForm) -> Bool {
    columns.allSatisfy { column in
      guard let type = types[column], type == other.types[column] else { return false }
      return Self.binaryTypes.contains(type.withoutModifiers)
    }
  }

  /// The types whose binary form is the same in every version of the server.
  private static let binaryTypes: Set<String> = [
    "bigint", "boolean", "bytea", "character varying", "date", "double precision", "inet",
    "integer", "interval", "json", "jsonb", "numeric", "real", "smallint", "text",
    "time without time zone", "timestamp with time zone", "timestamp without time zone", "uuid",
  ]
}

extension String {
  /// The name of a type without the numbers in parentheses.
  fileprivate var withoutModifiers: String {
    guard let opening = firstIndex(of: "("), let closing = firstIndex(of: ")"), opening < closing
    else { return self }
    return String(self[..<opening] + self[index(after: closing)...])
  }
}
