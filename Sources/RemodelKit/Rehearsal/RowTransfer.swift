internal import MigrationExecution
internal import PostgresClient
internal import SQLSyntax

/// Brings rows of a database to a copy of its schema, in bounded memory.
///
/// Of each table the last rows come, in the order of its primary key, and with them the rows that
/// they refer to.
struct RowTransfer: ~Copyable {
  private let source: PostgresConnection
  /// The requested number of rows of each table.
  private let limit: Int
  private(set) var rowCount = 0
  /// How many rows were brought along to each table.
  private var brought: [QualifiedName: Int] = [:]

  /// The most keys that one query asks for.
  private static let batch = 1_000

  /// Creates a transfer.
  ///
  /// - Parameters:
  ///   - source: A connection in the transaction to read.
  ///   - limit: The requested number of rows of each table.
  init(from source: consuming PostgresConnection, limit: Int) {
    self.source = source
    self.limit = limit
  }

  /// Copies all rows of the tables of a schema.
  func copyAll(
    of schema: SQLIdentifier,
    to target: borrowing PostgresConnection
  ) throws {
    for table in try tables(of: schema) {
      _ = try copy(table, try columns(of: table), filter: "", target)
    }
    try copySequences(of: schema, target)
  }

  /// Copies some rows of each table of a store, and all rows that they refer to.
  ///
  /// Code in the dump has run in the copy: so information about the database is read from the
  /// database itself only, and its objects belong to trusted roles.
  mutating func copySome(
    of store: StoreIdentity,
    to target: borrowing PostgresConnection
  ) throws {
    let schema = store.schema
    try copySequences(of: schema, target)
    guard limit > 0 else { return }
    let tables = try tables(of: schema)
    let references = try references(of: schema)
    try StoreOwnership(of: tables + references.map(\.referenced), in: store, isWriting: true)
      .check(source)
    for table in tables {
      let key = try primaryKey(of: table)
      let order: SQLFragment =
        key.isEmpty
        ? "" : " ORDER BY \(key.map { "\($0) DESC" as SQLFragment }.joined(separator: ", "))"
      rowCount += try copy(
        table,
        try columns(of: table),
        filter: "\(order) LIMIT \(SQLLiteral.integer(Int64(limit)))",
        target
      )
    }
    try close(over: references, target)
  }

  /// Fills the materialized views that are filled in the database; a dump of a schema leaves all empty.
  ///
  /// - Parameter target: A connection to the copy of a role that owns the views.
  /// - Returns: Those that could not be filled.
  /// - Throws: Any other error of the server.
  func fillViews(_ target: borrowing PostgresConnection) throws -> [QualifiedName] {
    var views = try source.query(
      """
      SELECT n.nspname, c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace \
      WHERE c.relkind = 'm' AND c.relispopulated ORDER BY c.oid
      """
    ).compactMap { row -> QualifiedName? in
      guard let schema = row["nspname"], let name = row["relname"] else { return nil }
      return QualifiedName(schema: SQLIdentifier(schema), name: SQLIdentifier(name))
    }
    // A view may read another one that was created later.
    var count = 0
    while !views.isEmpty, views.count != count {
      count = views.count
      var rest: [QualifiedName] = []
      for view in views {
        do {
          try target.execute("REFRESH MATERIALIZED VIEW \(view)")
        } catch {
          guard error.kind == .server else { throw error }
          rest.append(view)
        }
      }
      views = rest
    }
    return views
  }

  // MARK: - References

  /// Brings rows along until no row refers to one that is missing; where there are too many of them,
  /// rows that refer to such go instead.
  private mutating func close(
    over references: [RowReference],
    _ target: borrowing PostgresConnection
  ) throws {
    var isClosed = false
    while !isClosed {
      isClosed = true
      for reference in references {
        while (brought[reference.referenced] ?? 0) < mostBrought {
          let count = try bring(reference, target)
          guard count > 0 else { break }
          isClosed = false
        }
      }
    }
    var deleted = 0
    repeat {
      deleted = 0
      for reference in references {
        deleted += try target.query(
          "DELETE FROM \(reference.table) AS referring WHERE \(reference.isMissing)"
        ).affectedRows
      }
      rowCount -= deleted
    } while deleted > 0
  }

  private var mostBrought: Int { max(10_000, limit * 10) }

  /// Copies missing rows that others refer to.
  ///
  /// - Returns: The number of rows.
  private mutating func bring(
    _ reference: RowReference,
    _ target: borrowing PostgresConnection
  ) throws -> Int {
    let keys = reference.pairs.map { "referring.\($0.column)::text" as SQLFragment }
      .joined(separator: ", ")
    let missing = try target.query(
      """
      SELECT DISTINCT \(keys) FROM \(reference.table) AS referring WHERE \(reference.isMissing) \
      LIMIT \(SQLLiteral.integer(Int64(Self.batch)))
      """
    ).rows
    guard !missing.isEmpty else { return 0 }
    let values = missing.map { row -> SQLFragment in
      let literals = row.map { $0.map { "\(SQLLiteral.text($0))" as SQLFragment } ?? "NULL" }
      return "(\(literals.joined(separator: ", ")))"
    }.joined(separator: ", ")
    let names = reference.pairs.indices.map { SQLIdentifier("key_\($0 + 1)") }
    let typed = zip(names, reference.pairs).map { "\($0)::\($1.type)" as SQLFragment }
      .joined(separator: ", ")
    let count = try copy(
      reference.referenced,
      try columns(of: reference.referenced),
      filter: """
         WHERE (\(reference.pairs.map(\.referenced))) IN (SELECT \(typed) \
        FROM (VALUES \(values)) AS missing (\(names)))
        """,
      target
    )
    brought[reference.referenced, default: 0] += count
    rowCount += count
    return count
  }

  /// Returns the foreign keys of the tables of a schema.
  private func references(of schema: SQLIdentifier) throws -> [RowReference] {
    let found = try source.query(
      """
      SELECT c.oid, n.nspname, t.relname, fn.nspname AS foreign_schema, ft.relname AS foreign_table, \
      a.attname, fa.attname AS foreign_column, format_type(fa.atttypid, fa.atttypmod) AS type \
      FROM pg_constraint c JOIN pg_class t ON t.oid = c.conrelid \
      JOIN pg_namespace n ON n.oid = t.relnamespace JOIN pg_class ft ON ft.oid = c.confrelid \
      JOIN pg_namespace fn ON fn.oid = ft.relnamespace \
      CROSS JOIN unnest(c.conkey, c.confkey) WITH ORDINALITY AS k (own, referenced, place) \
      JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = k.own \
      JOIN pg_attribute fa ON fa.attrelid = ft.oid AND fa.attnum = k.referenced \
      WHERE c.contype = 'f' AND c.conparentid = 0 AND n.nspname = \(SQLLiteral.text(schema.name)) \
      ORDER BY c.oid, k.place
      """
    )
    var references: [RowReference] = []
    var last: Int?
    for row in found {
      guard let id = row.integer("oid"), let schema = row["nspname"], let table = row["relname"],
        let foreignSchema = row["foreign_schema"], let foreignTable = row["foreign_table"],
        let column = row["attname"], let foreignColumn = row["foreign_column"],
        let type = row["type"]
      else { continue }
      if id != last {
        references.append(
          RowReference(
            table: QualifiedName(schema: SQLIdentifier(schema), name: SQLIdentifier(table)),
            referenced: QualifiedName(
              schema: SQLIdentifier(foreignSchema),
              name: SQLIdentifier(foreignTable)
            )
          )
        )
      }
      last = id
      references[references.count - 1].pairs.append(
        RowReference.Pair(
          column: SQLIdentifier(column),
          referenced: SQLIdentifier(foreignColumn),
          type: SQLFragment(deparsed: type)
        )
      )
    }
    return references
  }

  // MARK: - Tables

  private func tables(of schema: SQLIdentifier) throws -> [QualifiedName] {
    try source.query(
      """
      SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace \
      WHERE n.nspname = \(SQLLiteral.text(schema.name)) AND c.relkind = 'r' ORDER BY 1
      """
    ).compactMap { row in
      row["relname"].map { QualifiedName(schema: schema, name: SQLIdentifier($0)) }
    }
  }

  private func columns(of table: QualifiedName) throws -> [SQLIdentifier] {
    try source.query(
      """
      SELECT attname FROM pg_attribute WHERE attrelid = \(SQLLiteral.text(table.quoted))::regclass \
      AND attnum > 0 AND NOT attisdropped AND attgenerated = '' ORDER BY attnum
      """
    ).compactMap { $0["attname"].map { SQLIdentifier($0) } }
  }

  private func primaryKey(of table: QualifiedName) throws -> [SQLIdentifier] {
    try source.query(
      """
      SELECT a.attname FROM pg_index i CROSS JOIN unnest(i.indkey) WITH ORDINALITY AS k (number, place) \
      JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.number \
      WHERE i.indisprimary AND i.indrelid = \(SQLLiteral.text(table.quoted))::regclass ORDER BY k.place
      """
    ).compactMap { $0["attname"].map { SQLIdentifier($0) } }
  }

  private func copySequences(
    of schema: SQLIdentifier,
    _ target: borrowing PostgresConnection
  ) throws {
    let found = try source.query(
      """
      SELECT sequencename, last_value FROM pg_sequences \
      WHERE schemaname = \(SQLLiteral.text(schema.name)) AND last_value IS NOT NULL
      """
    )
    for row in found {
      guard let name = row["sequencename"], let value = row.integer("last_value") else { continue }
      let sequence = QualifiedName(schema: schema, name: SQLIdentifier(name))
      try target.query(
        """
        SELECT setval(\(SQLLiteral.text(sequence.quoted))::regclass, \
        \(SQLLiteral.integer(Int64(value))))
        """
      )
    }
  }

  private func copy(
    _ table: QualifiedName,
    _ columns: [SQLIdentifier],
    filter: SQLFragment,
    _ target: borrowing PostgresConnection
  ) throws -> Int {
    guard !columns.isEmpty else { return 0 }
    return try target.copyIn("COPY \(table) (\(columns)) FROM STDIN") { writer in
      try source.copyOut("COPY (SELECT \(columns) FROM \(table)\(filter)) TO STDOUT") { row in
        try writer.write((0..<row.count).map { row[$0] })
      }
    }
  }
}

/// A foreign key.
private struct RowReference {
  struct Pair {
    var column: SQLIdentifier
    var referenced: SQLIdentifier
    var type: SQLFragment
  }

  var table: QualifiedName
  var referenced: QualifiedName
  var pairs: [Pair] = []

  /// Whether a row `referring` refers to one that there is none of.
  var isMissing: SQLFragment {
    let given = pairs.map { "referring.\($0.column) IS NOT NULL" as SQLFragment }
      .joined(separator: " AND ")
    let equal = pairs.map { "referred.\($0.referenced) = referring.\($0.column)" as SQLFragment }
      .joined(separator: " AND ")
    return "\(given) AND NOT EXISTS (SELECT FROM \(referenced) AS referred WHERE \(equal))"
  }
}
