package import MigrationPlanning
package import PostgresClient
internal import SQLSyntax

/// Reads the state and the size of retained objects.
public struct RetainedInspection {
  private let store: StoreIdentity

  /// Creates an inspection of a store's retained objects.
  package init(_ store: StoreIdentity) {
    self.store = store
  }

  // MARK: - States

  /// Compares retained objects with their expected shapes.
  ///
  /// - Parameters:
  ///   - shapes: The expected shapes.
  ///   - connection: The database.
  /// - Returns: The state of each.
  /// - Throws: The server's error.
  package func states(
    of shapes: [RetainedObject: RetainedShape],
    _ connection: borrowing PostgresConnection
  ) throws -> [RetainedObject: RetainedState] {
    let tables = try tables(Set(shapes.keys.map(\.table)), connection)
    let types = try types(
      shapes.values.reduce(into: []) { names, shape in
        if case .column(let types) = shape { names.formUnion(types) }
      },
      connection
    )
    return Dictionary(
      uniqueKeysWithValues: shapes.map { object, shape in
        (object, Self.state(of: object, shape, tables[object.table], types))
      }
    )
  }

  /// Returns the objects that exist unchanged.
  ///
  /// - Parameters:
  ///   - objects: The retained objects.
  ///   - connection: The database.
  /// - Returns: Those that exist unchanged.
  /// - Throws: The server's error.
  package func intact(
    _ objects: [RetainedObject],
    _ connection: borrowing PostgresConnection
  ) throws -> Set<RetainedObject> {
    let told = objects.filter { $0.origin != nil }
    guard !told.isEmpty else { return [] }
    let shapes = Dictionary(
      told.map { ($0, RetainedShape(of: $0, in: [])) },
      uniquingKeysWith: { first, _ in first }
    )
    return Set(try states(of: shapes, connection).filter { $0.value == .present }.keys)
  }

  private struct LiveTable {
    let kind: String
    /// The columns with the numbers and the names of their types.
    var columns: [SQLIdentifier: (type: String, typeName: String)] = [:]
  }

  private static func state(
    of object: RetainedObject,
    _ shape: RetainedShape,
    _ table: LiveTable?,
    _ types: [String: String]
  ) -> RetainedState {
    guard let table else { return .gone }
    guard table.kind == "r" || table.kind == "p" else {
      return .replaced(.notATable(kind: table.kind))
    }
    switch shape {
    case .table(let candidates):
      let missing = candidates.map { $0.subtracting(table.columns.keys) }
      guard let fewest = missing.min(by: { $0.count < $1.count }), !fewest.isEmpty else {
        return .present
      }
      return .replaced(.lacksColumns(fewest.sorted()))
    case .column(let expected):
      guard let name = object.column, let column = table.columns[name] else { return .gone }
      // Types that the server no longer has cannot be compared.
      let known = expected.compactMap { types[$0] }
      guard !known.isEmpty, known.count == expected.count, !known.contains(column.type) else {
        return .present
      }
      return .replaced(.otherType(column.typeName, expected: expected.sorted()))
    }
  }

  private func tables(
    _ names: Set<SQLIdentifier>,
    _ connection: borrowing PostgresConnection
  ) throws -> [SQLIdentifier: LiveTable] {
    let query: SQLFragment = """
      SELECT c.relname, c.relkind::text AS kind, a.attname, a.atttypid::text AS type, \
      format_type(a.atttypid, a.atttypmod) AS type_name FROM pg_class c \
      LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped \
      WHERE c.relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = $1) \
      AND c.relname IN (SELECT e::name FROM json_array_elements_text($2::json) AS e)
      """
    var tables: [SQLIdentifier: LiveTable] = [:]
    let parameters = [store.schema.name, JSONText.text(names.sorted().map(\.name))]
    for row in try connection.query(query, parameters) {
      guard let name = row["relname"].map({ SQLIdentifier($0) }), let kind = row["kind"] else {
        continue
      }
      var table = tables[name] ?? LiveTable(kind: kind)
      if let column = row["attname"].map({ SQLIdentifier($0) }), let type = row["type"] {
        table.columns[column] = (type, row["type_name"] ?? "")
      }
      tables[name] = table
    }
    return tables
  }

  /// Returns the numbers of types by their names in statements, without modifiers.
  private func types(
    _ names: Set<String>,
    _ connection: borrowing PostgresConnection
  ) throws -> [String: String] {
    let query: SQLFragment = """
      SELECT n.name, to_regtype(n.name)::oid::text AS type \
      FROM json_array_elements_text($1::json) AS n (name)
      """
    var types: [String: String] = [:]
    for row in try connection.query(query, [JSONText.text(names.sorted())]) {
      guard let name = row["name"] else { continue }
      types[name] = row["type"]
    }
    return types
  }

  // MARK: - Sizes

  /// The size of an object, by the server's statistics.
  public struct Amount: Hashable, Sendable {
    /// The rows; of a column those that have a value.
    public let rows: Int?
    /// The bytes; of a table with its indexes.
    public let bytes: Int?
  }

  /// Estimates the size of retained objects: of a column, as far as the role may see its
  /// statistics.
  package func amounts(
    of objects: [RetainedObject],
    _ connection: borrowing PostgresConnection
  ) throws -> [RetainedObject: Amount] {
    let sizes = try SchemaInspection(store).tableSizes(connection)
    let columns = try columnStatistics(connection)
    return Dictionary(
      objects.map { object in
        guard let column = object.column else {
          let size = sizes[object.table.name]
          return (object, Amount(rows: size?.rows, bytes: size?.bytes))
        }
        guard let share = columns[object.table.name]?[column.name],
          let size = sizes[object.table.name]
        else { return (object, Amount(rows: nil, bytes: nil)) }
        let rows = Int((Double(size.rows) * (1 - share.absent)).rounded())
        return (object, Amount(rows: rows, bytes: rows * share.width))
      },
      uniquingKeysWith: { first, _ in first }
    )
  }

  private func columnStatistics(
    _ connection: borrowing PostgresConnection
  ) throws -> [String: [String: (absent: Double, width: Int)]] {
    let query: SQLFragment = """
      SELECT tablename, attname, null_frac, avg_width FROM pg_stats WHERE schemaname = $1
      """
    var statistics: [String: [String: (absent: Double, width: Int)]] = [:]
    for row in try connection.query(query, [store.schema.name]) {
      guard let table = row["tablename"], let column = row["attname"],
        let absent = row["null_frac"].flatMap(Double.init), let width = row.integer("avg_width")
      else { continue }
      statistics[table, default: [:]][column] = (absent, width)
    }
    return statistics
  }
}
