import RemodelKit
import SQLSyntax
import TestSupport

@testable import MigrationPlanning

/// What a release does with the tables that it knows: it inserts, updates, deletes and selects, by the names
/// that it knows, what those tables allow.
struct ReleaseProbes {
  private(set) var probes: [ReleaseProbe] = []
  private let projection: ModelProjection
  /// Whether values do not change, so that rows are found by them.
  private let keepsValues: Bool
  /// The names of the next version's constraints.
  private let stayingConstraints: Set<SQLIdentifier>
  /// The tables whose rows take others along when they are deleted, so that they cannot be inserted again.
  private let cascadingTables: Set<SQLIdentifier>

  /// Creates the probes of all tables.
  ///
  /// - Parameters:
  ///   - projection: The version of the release.
  ///   - next: The next version of the database.
  ///   - keepsValues: Whether no mapping model changes values.
  ///   - connection: The connection, which keeps prepared statements.
  /// - Throws: The server's error.
  init(
    _ projection: ModelProjection,
    before next: ModelProjection,
    keepsValues: Bool,
    _ connection: borrowing PostgresConnection
  ) throws {
    self.projection = projection
    self.keepsValues = keepsValues
    cascadingTables = Set(
      (projection.schema.sortedTables + next.schema.sortedTables).filter { table in
        table.triggers.contains { $0.activation == .afterEachDelete }
      }.map(\.name)
    )
    stayingConstraints = Set(next.schema.sortedTables.flatMap(\.constraints).map(\.name))
    for (number, table) in projection.schema.sortedTables.enumerated() {
      let values = try ReleaseValues(of: table, in: projection, connection)
      try select(from: table, number, connection)
      insert(values)
      change(values)
      name(table)
    }
  }

  // MARK: - Names

  /// What statements name besides tables and columns.
  private mutating func name(_ table: Table) {
    let owner = projection.schema.qualified(table.name)
    for constraint in table.constraints where constraint.hasIndex {
      add(
        table,
        "on conflict on \(constraint.name)",
        """
        EXPLAIN INSERT INTO \(owner) DEFAULT VALUES \
        ON CONFLICT ON CONSTRAINT \(constraint.name) DO NOTHING
        """
      )
    }
    // Foreign keys of links that move elsewhere are not there any more, which no plan says.
    for constraint in table.constraints where stayingConstraints.contains(constraint.name) {
      guard case .foreignKey(let key) = constraint.definition, key.deferrability != .notDeferrable
      else { continue }
      let name = projection.schema.qualified(constraint.name)
      add(table, "deferral of \(constraint.name)", "SET CONSTRAINTS \(name) DEFERRED")
    }
    for sequence in table.columns.compactMap(\.sequence) {
      let name = SQLLiteral.text(projection.schema.qualified(sequence.name).quoted)
      add(table, "nextval of \(sequence.name)", "SELECT nextval(\(name))")
    }
  }

  // MARK: - Select

  /// A statement that is prepared fails when the types of what it gives change.
  private mutating func select(
    from table: Table,
    _ number: Int,
    _ connection: borrowing PostgresConnection
  ) throws {
    let name = SQLIdentifier("release_\(number)")
    let columns = table.columns.map(\.name)
    let owner = projection.schema.qualified(table.name)
    try connection.execute("PREPARE \(name) AS SELECT \(columns) FROM \(owner)")
    probes.append(ReleaseProbe(table.name, "select by name", "EXECUTE \(name)"))
  }

  // MARK: - Insert

  private mutating func insert(_ values: ReleaseValues) {
    let table = values.table
    for row in values.samples {
      let fresh = values.fresh(row, 1)
      add(table, "insert all columns", values.insertion(fresh))
      if !cascadingTables.contains(table.name), let deletion = values.deletion(of: row) {
        add(table, "delete and insert all columns", deletion, values.insertion(row))
      }
      let required = fresh.filter { values.isRequired($0.key) }
      add(table, "insert the required columns", values.insertion(required))
      let optional = table.columns.filter(\.isNullable).map(\.name)
      var nulls = fresh
      for column in optional where fresh[column] != nil { nulls[column] = "NULL" }
      add(table, "insert nulls", values.insertion(nulls))
      for column in fresh.keys.sorted() {
        var short = fresh
        short[column] = nil
        add(table, "insert without \(column)", values.insertion(short))
        for value in values.candidates(of: column) + (optional.contains(column) ? ["NULL"] : []) {
          var other = fresh
          other[column] = value
          add(table, "insert \(column) = \(value.text.prefix(40))", values.insertion(other))
        }
      }
      repeatValues(values, row)
      for column in fresh.keys.sorted() where !values.targetKeys(of: column).isEmpty {
        var loose = fresh
        loose[column] = values.nobody(column)
        guard let deletion = values.deletion(of: loose) else { continue }
        add(
          table,
          "insert a loose \(column) and delete it in the same transaction",
          values.insertion(loose),
          deletion
        )
      }
      for key in table.keys { addConflict(key, values, fresh) }
    }
  }

  /// Two rows that agree in some columns.
  private mutating func repeatValues(_ values: ReleaseValues, _ row: ReleaseValues.Row) {
    let (first, second) = (values.fresh(row, 1), values.fresh(row, 2))
    let columns = first.keys.sorted().filter { first[$0] != second[$0] }
    let same = first.keys.filter { first[$0] == second[$0] && first[$0] != "NULL" }
    var choices = columns.map { [$0] }
    for (position, column) in columns.enumerated() {
      choices += columns.dropFirst(position + 1).map { [column, $0] }
    }
    choices.append(columns.filter { !values.isOfKey($0) })
    choices.append([])
    for choice in choices where !(choice.isEmpty && same.isEmpty) {
      var other = second
      for column in choice { other[column] = first[column] }
      let names = choice.map(\.name).joined(separator: ", ")
      add(
        values.table,
        "insert two rows with the same \(names)",
        values.insertion(first),
        values.insertion(other)
      )
    }
  }

  private mutating func addConflict(
    _ key: TableKey,
    _ values: ReleaseValues,
    _ row: ReleaseValues.Row
  ) {
    let table = values.table
    let index = table.indexes.first { $0.name == key.name }
    // What people wrote as an index is no list of columns.
    guard index?.definition == nil else { return }
    let elements =
      index?.elements.map { element -> SQLFragment in
        switch element.key {
        case .column(let column): "\(column)"
        case .expression(let expression): "(\(expression))"
        }
      } ?? key.columns.map { "\($0)" }
    var target: SQLFragment = "(\(elements.joined(separator: ", ")))"
    if let predicate = index?.predicate { target.append(" WHERE \(predicate)") }
    let insertion = values.insertion(row)
    add(table, "on conflict \(target.text)", "\(insertion) ON CONFLICT \(target) DO NOTHING")
  }

  // MARK: - Update and delete

  private mutating func change(_ values: ReleaseValues) {
    let table = values.table
    let owner = projection.schema.qualified(table.name)
    for row in values.rows {
      guard let condition = values.condition(of: row) else { continue }
      if let deletion = values.deletion(of: row) { add(table, "delete", deletion, rowCount: 1) }
      let written = row.keys.sorted().filter { !values.isKey($0) && values.isWritable($0) }
      let fresh = values.fresh(row, 3)
      for column in written {
        guard let value = row[column] else { continue }
        add(
          table,
          "update \(column)",
          "UPDATE \(owner) SET \(column) = \(value) WHERE \(condition)",
          rowCount: 1
        )
        if let other = fresh[column], other != value {
          add(
            table,
            "update \(column) to another value",
            "UPDATE \(owner) SET \(column) = \(other) WHERE \(condition)",
            rowCount: 1
          )
        }
        // A removed row, or another one in its place, does not have these values.
        guard keepsValues, value != "NULL", !values.isComputed(column) else { continue }
        add(
          table,
          "find by \(column)",
          "SELECT FROM \(owner) WHERE \(condition) AND \(column)::text = (\(value))::text",
          rowCount: 1
        )
      }
    }
  }

  private mutating func add(
    _ table: Table,
    _ name: String,
    _ statements: SQLFragment...,
    rowCount: Int = 0
  ) {
    var probe = ReleaseProbe(table.name, name)
    probe.statements = statements.map { .init(sql: $0, rowCount: rowCount) }
    probes.append(probe)
  }
}
