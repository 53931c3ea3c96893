internal import ObjectModel
package import SQLSyntax

/// Builds an index while others read and write.
///
/// ```sql
/// CREATE INDEX CONCURRENTLY "t_c_idx" ON "s"."t" ("c")
/// ```
///
/// That of a partitioned table is built on each partition, and consists of these:
///
/// ```sql
/// CREATE INDEX CONCURRENTLY "t_p1_c_idx" ON "s"."t_p1" ("c");
/// CREATE INDEX "t_c_idx" ON "s"."t" ("c")
/// ```
public struct IndexBuild: DeferredOperation {
  /// The table.
  package var table: SQLIdentifier
  /// The index.
  package var index: Index
  /// The partitions of the table that have rows; `nil` if it is not partitioned.
  package var partitions: [QualifiedName]?

  var object: SQLIdentifier { index.name }
  /// A release relies on uniqueness; without another index it is only slower.
  var phase: MigrationPhase { index.isUnique ? .now : .deferred }
  var summary: String { "create index \"\(index.name)\" on table \"\(table)\"" }

  func statements(in schema: SQLIdentifier) -> [PlannedStatement] {
    guard let partitions else {
      let owner = QualifiedName(schema: schema, name: table)
      return [Self.statement(index, on: owner, of: table, summary)]
    }
    return Self.statements(index, onPartitions: partitions, of: table) + [
      PlannedStatement(
        sql: index.creation(of: QualifiedName(schema: schema, name: table)),
        reason: summary,
        impact: OperationImpact(locks: [table: .share])
      )
    ]
  }

  /// Returns the statements that build the parts of an index on the partitions of a table.
  static func statements(
    _ index: Index,
    onPartitions partitions: [QualifiedName],
    of table: SQLIdentifier
  ) -> [PlannedStatement] {
    partitions.map { partition in
      let part = index.part(on: partition.name, of: table)
      return statement(
        part,
        on: partition,
        of: table,
        "create index \"\(part.name)\" on partition \"\(partition.name)\""
      )
    }
  }

  /// Returns the statement that builds an index of a table, or a part of it on a partition.
  static func statement(
    _ index: Index,
    on owner: QualifiedName,
    of table: SQLIdentifier,
    _ reason: String
  ) -> PlannedStatement {
    var statement = PlannedStatement(
      sql: index.creation(of: owner, isConcurrent: true),
      reason: reason,
      impact: OperationImpact(
        locks: [table: .shareUpdateExclusive],
        scans: [table],
        hazards: [.failsOnData]
      )
    )
    statement.isTransactional = false
    return statement
  }

  func apply(to schema: inout DatabaseSchema) {
    schema.tables[table]?.indexes.append(index)
  }

  func question(of table: Table, _ rows: Rows) -> PlannedPrecondition? {
    // A definition in SQL gives no query; the server reports duplicates.
    guard index.isUnique, index.definition == nil else { return nil }
    let keys = index.elements.map { element -> SQLFragment in
      switch element.key {
      case .column(let column): "\(column)"
      case .expression(let expression): "(\(expression))"
      }
    }
    return Self.duplicates(
      of: keys,
      where: index.predicate.map { ["(\($0))"] } ?? [],
      in: rows,
      of: self,
      "index \"\(index.name)\""
    )
  }

  static func duplicates(
    of keys: [SQLFragment],
    where conditions: [SQLFragment] = [],
    in rows: Rows,
    of work: some DeferredOperation,
    _ name: String
  ) -> PlannedPrecondition {
    work.precondition(
      "no two rows of table \"\(work.table)\" agree in what \(name) makes unique",
      "Remove or merge the duplicates, then try again.",
      rows.duplicates(
        of: keys,
        where: conditions + keys.map { "\($0) IS NOT NULL" }
      )
    )
  }
}

extension Index {
  /// Returns the part of the index on a partition: it has the name of the partition in place of that of the
  /// table.
  package func part(on partition: SQLIdentifier, of table: SQLIdentifier) -> Index {
    var part = self
    let isNamedAfter = name.name.hasPrefix("\(table.name)_")
    let rest = isNamedAfter ? name.name.dropFirst(table.name.count) : "_\(name.name)"
    part.name = StorageNames.fitted(partition.name + rest)
    return part
  }

  /// Returns the statement that creates the index.
  package func creation(of table: QualifiedName, isConcurrent: Bool = false) -> SQLFragment {
    let unique: SQLFragment = isUnique ? "UNIQUE " : ""
    let way: SQLFragment = isConcurrent ? "CONCURRENTLY " : ""
    if let definition {
      return "CREATE \(unique)INDEX \(way)\(name) ON \(table) \(definition)"
    }
    let keys = elements.map(\.definition).joined(separator: ", ")
    let kind: SQLFragment =
      switch method {
      case .btree: ""
      case .gin: "USING gin "
      case .gist: "USING gist "
      }
    var statement: SQLFragment = "CREATE \(unique)INDEX \(way)\(name) ON \(table) \(kind)(\(keys))"
    if let predicate { statement.append(" WHERE \(predicate.unparenthesised)") }
    return statement
  }
}
