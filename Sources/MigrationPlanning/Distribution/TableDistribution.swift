internal import ObjectModel
package import SQLSyntax

/// How Citus spreads the rows of a table over nodes, as the model has it.
package enum TableDistribution: Hashable, Sendable {
  /// Every node has all rows.
  case reference
  /// The values of a column decide which node a row is on; rows with equal values are on the same node as
  /// those of the other table, if there is one.
  case rows(by: SQLIdentifier, beside: SQLIdentifier?)
  /// One node has all rows, and those of all other tables of the schema.
  case schema

  /// The column whose values decide; `nil` if all nodes have all rows.
  package var column: SQLIdentifier? {
    if case .rows(let column, _) = self { column } else { nil }
  }

  /// The table beside whose rows these are, if there is one.
  package var colocatedTable: SQLIdentifier? {
    if case .rows(_, let table) = self { table } else { nil }
  }

  /// Returns the distribution under other names.
  func renamed(
    columns: [SQLIdentifier: SQLIdentifier] = [:],
    tables: [SQLIdentifier: SQLIdentifier] = [:]
  ) -> TableDistribution {
    guard case .rows(let column, let table) = self else { return self }
    return .rows(by: columns[column] ?? column, beside: table.map { tables[$0] ?? $0 })
  }

  /// Returns the statement that spreads the rows of a table which is on the coordinator alone; `nil` if it is
  /// spread with its schema.
  ///
  /// - Parameters:
  ///   - name: The table.
  ///   - neighbor: A table beside whose rows these are to be, where it is not the one of the distribution.
  /// - Returns: The statement.
  func statement(for name: QualifiedName, beside neighbor: QualifiedName?) -> SQLFragment? {
    switch self {
    case .schema: return nil
    case .reference: return "SELECT pg_catalog.create_reference_table(\(text: name.quoted))"
    case .rows(let column, let other):
      let colocated = neighbor ?? other.map { QualifiedName(schema: name.schema, name: $0) }
      return """
        SELECT pg_catalog.create_distributed_table(\(text: name.quoted), \(text: column.name), \
        colocate_with => \(text: colocated?.quoted ?? "none"))
        """
    }
  }

  /// Returns whether the rows of a table are spread in this way.
  package func isThat(of table: SQLIdentifier, in kinds: TableKinds) -> Bool {
    switch (self, kinds[table]?.placement) {
    case (.reference, .reference?): return true
    case (.schema, .singleShard(let colocation)?): return colocation == kinds.schemaColocation
    case (.rows(let column, let other), .distributed(let key, _, let colocation)?):
      guard column.name == key else { return false }
      guard let other else { return true }
      guard case .distributed(_, _, colocation) = kinds[other]?.placement else { return false }
      return true
    case (_, _): return false  // Spread in another way, or not at all.
    }
  }
}

extension DatabaseSchema {
  /// Returns the table that stands for all whose rows are beside each other; the table itself if it is beside no
  /// other.
  func colocation(of table: SQLIdentifier) -> SQLIdentifier {
    var table = table
    var seen: Set<SQLIdentifier> = []
    while seen.insert(table).inserted, let other = tables[table]?.distribution?.colocatedTable {
      table = other
    }
    return table
  }
}

extension TableDistribution: CustomStringConvertible {
  /// The distribution, as the end of a sentence about the table.
  package var description: String {
    switch self {
    case .reference: "\(TableKind.Placement.reference)"
    case .schema: "in the shard of its schema"
    case .rows(let column, nil): "distributed by \"\(column)\""
    case .rows(let column, let other?): "distributed by \"\(column)\" beside table \"\(other)\""
    }
  }
}

extension TableDistribution {
  /// Creates the distribution of a root entity's table; `nil` if it has none.
  init?(of root: EntityDescription, in projection: ModelProjection) {
    switch root.distribution {
    case _ where projection.model.layout.distribution == .schema: self = .schema
    case nil: return nil
    case .reference: self = .reference
    case .rows(let name, _):
      var column: SQLIdentifier? = projection.key(of: root)
      if let name {
        let places: [ColumnOrigin] = [
          .attribute(entity: root.name, name, path: []), .reference(entity: root.name, name),
        ]
        column = places.lazy.compactMap { projection.columns[$0]?.column }.first
      }
      guard let column else { return nil }
      let other = projection.model.colocatedEntity(of: root).flatMap { projection.table(of: $0) }
      self = .rows(by: column, beside: other)
    }
  }
}
