import ObjectModel
import RemodelKit
import SQLSyntax
import TestSupport

@testable import MigrationPlanning

/// Random writes of a release, whatever schema it finds its tables in.
struct ServedWrites {
  /// A statement, given the schema.
  typealias Statement = (_ schema: SQLIdentifier) -> SQLFragment

  /// The statements in order.
  let statements: [Statement]

  /// Makes statements that change, insert and delete rows, with values that other rows have or that fit the type.
  ///
  /// - Parameters:
  ///   - projection: The version of the release.
  ///   - tables: The tables that are written.
  ///   - seed: The seed.
  ///   - number: A number that no other writes of the test have, for new keys.
  ///   - deletesRows: Whether rows are deleted.
  ///   - connection: A database with the rows.
  /// - Throws: The server's error.
  init(
    _ projection: ModelProjection,
    tables: Set<SQLIdentifier>,
    seed: UInt64,
    number: Int,
    deletesRows: Bool,
    _ connection: borrowing PostgresConnection
  ) throws {
    var random = SeededGenerator(seed: seed)
    let filler = RowFiller(projection, seed: seed)
    var statements: [Statement] = []
    for table in projection.schema.sortedTables where tables.contains(table.name) {
      if case .join = projection.tableOrigins[table.name] {
        statements += try Self.links(in: table, projection.schema, number, &random, connection)
      }
      guard case .root = projection.tableOrigins[table.name], let key = table.key,
        let keyType = table.column(key)?.type
      else { continue }
      let keys = try connection.query(
        "SELECT \(key)::text AS key FROM \(projection.schema.qualified(table.name)) ORDER BY 1"
      ).compactMap { $0["key"] }
      // A release does not say by itself which entity a row is of, and in which order links are.
      let written = table.columns.filter { column in
        switch projection.columnOrigins[table.name]?[column.name] {
        case .attribute, .reference: column.name != key && column.generation == nil
        case .key, .discriminator, .position, .joinedDestination, .joinedSource, nil: false
        }
      }
      let kinds = table.columns.map(\.name).filter { $0 == StorageNames.discriminator }
      func row(_ key: String) -> SQLFragment { "\(SQLLiteral.text(key))::\(keyType)" }
      for column in written {
        for _ in 0..<2 {
          guard let chosen = random.pick(keys), let other = random.pick(keys) else { break }
          let isAttribute = projection.columnOrigins[table.name]?[column.name]?.isAttribute ?? false
          var filler = filler
          let made =
            isAttribute && random.once(in: 2)
            ? filler.value(Int.random(in: 1...60, using: &random), of: column, in: table) : nil
          statements.append { schema in
            let name = QualifiedName(schema: schema, name: table.name)
            let value: SQLFragment =
              made ?? "(SELECT o.\(column.name) FROM \(name) AS o WHERE o.\(key) = \(row(other)))"
            return "UPDATE \(name) SET \(column.name) = \(value) WHERE \(key) = \(row(chosen))"
          }
        }
      }
      for count in 0..<3 {
        guard let chosen = random.pick(keys) else { break }
        // A column that is left out gets its default.
        let others = written.map(\.name).filter { _ in !random.once(in: 4) }
        let new = filler.key(number + count, of: keyType)
        let isRepeated = random.once(in: 2)
        statements.append { schema in
          let name = QualifiedName(schema: schema, name: table.name)
          let values = [isRepeated ? row(chosen) : new] + (kinds + others).map { "o.\($0)" }
          let assignments = others.map { "\($0) = EXCLUDED.\($0)" as SQLFragment }
          let conflict: SQLFragment =
            assignments.isEmpty
            ? "NOTHING" : "UPDATE SET \(assignments.joined(separator: ", "))"
          return """
            INSERT INTO \(name) (\([key] + kinds + others))\(table.overriding) \
            SELECT \(values.joined(separator: ", ")) FROM \(name) AS o \
            WHERE o.\(key) = \(row(chosen)) ON CONFLICT (\(key)) DO \(conflict)
            """
        }
      }
      if deletesRows, let chosen = random.pick(keys) {
        statements.append { schema in
          "DELETE FROM \(QualifiedName(schema: schema, name: table.name)) WHERE \(key) = \(row(chosen))"
        }
      }
    }
    statements.shuffle(using: &random)
    self.statements = statements
  }

  /// Returns statements that add and remove links.
  private static func links(
    in table: Table,
    _ schema: DatabaseSchema,
    _ number: Int,
    _ random: inout SeededGenerator,
    _ connection: borrowing PostgresConnection
  ) throws -> [Statement] {
    let ends = Array(table.columns.prefix(2))
    let keys = try ends.map { end -> [String] in
      guard
        let foreignKey = table.constraints.compactMap(\.foreignKey)
          .first(where: { $0.column == end.name })
      else { return [] }
      return try connection.query(
        """
        SELECT \(foreignKey.key)::text AS key FROM \(schema.qualified(foreignKey.references)) \
        ORDER BY 1
        """
      ).compactMap { $0["key"] }
    }
    guard ends.count == 2 else { return [] }
    let positions = table.columns.dropFirst(2).map(\.name)
    func value(_ key: String, of end: Column) -> SQLFragment {
      "\(SQLLiteral.text(key))::\(end.type)"
    }
    var statements: [Statement] = []
    for count in 0..<4 {
      guard let owner = random.pick(keys[0]), let target = random.pick(keys[1]) else { break }
      let values = [value(owner, of: ends[0]), value(target, of: ends[1])]
      let places = positions.map { _ in
        "\(SQLLiteral.integer(Int64(number + count)))" as SQLFragment
      }
      statements.append { schema in
        let name = QualifiedName(schema: schema, name: table.name)
        return count % 2 == 0
          ? """
          INSERT INTO \(name) (\(ends.map(\.name) + positions)) \
          VALUES (\((values + places).joined(separator: ", "))) ON CONFLICT DO NOTHING
          """
          : """
          DELETE FROM \(name) WHERE \(ends[0].name) = \(values[0]) \
          AND (\(ends[1].name) = \(values[1]) OR \(ends[1].name)::text > '4')
          """
      }
    }
    return statements
  }

  /// Returns the error of a statement, after which nothing has changed; `nil` if it has run.
  static func fault(
    of statement: SQLFragment,
    isKept: Bool = true,
    _ connection: borrowing PostgresConnection
  ) throws -> PostgresError? {
    try connection.execute("BEGIN")
    do {
      try connection.execute(statement)
      try connection.execute("SET CONSTRAINTS ALL IMMEDIATE")
      try connection.execute(isKept ? "COMMIT" : "ROLLBACK")
      return nil
    } catch {
      try connection.execute("ROLLBACK")
      return error
    }
  }
}

extension ColumnOrigin {
  fileprivate var isAttribute: Bool {
    guard case .attribute = self else { return false }
    return true
  }
}
