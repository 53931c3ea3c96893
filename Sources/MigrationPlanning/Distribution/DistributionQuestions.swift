internal import SQLSyntax

/// The questions about rows that are spread over nodes by a step.
struct DistributionQuestions {
  private let match: SchemaMatch
  /// The kinds of the source's tables.
  private let kinds: TableKinds

  init(_ match: SchemaMatch, _ kinds: TableKinds) {
    self.match = match
    self.kinds = kinds
  }

  var all: [PlannedPrecondition] {
    let after = match.destination.schema
    guard
      kinds.schemaColocation != nil
        || after.tables.values.contains(where: { $0.distribution != nil })
    else { return [] }
    return match.source.schema.sortedTables.flatMap(numberQuestions)
      + after.sortedTables.flatMap(referenceQuestions)
  }

  /// Asks for numbers that nodes have given: their sequences begin anew where Citus creates them again.
  private func numberQuestions(of old: Table) -> [PlannedPrecondition] {
    let after = match.destination.schema
    let isDistributed =
      if let name = match.tables[old.name] {
        old.distribution == nil && after.tables[name]?.distribution != nil
      } else {
        kinds.isInDistributedSchema(old.name)
          || (old.distribution != nil
            && match.copiedTables.contains { after.tables[$0]?.distribution != nil })
      }
    guard isDistributed, let key = old.key, old.column(key)?.sequence != nil else { return [] }
    return [
      question(
        "keys of table \"\(old.name)\" have been given by the coordinator, as nodes would give the "
          + "same ones again",
        "Insert through the coordinator, or use UUIDs as keys.",
        of: old,
        // Nodes give the numbers above those of the coordinator.
        Rows(table: match.source.schema.qualified(old.name), key: key, membership: nil)
          .offending("\(key) >= 281474976710656")
      )
    ]
  }

  /// Asks for links to rows that would be on other nodes.
  private func referenceQuestions(of new: Table) -> [PlannedPrecondition] {
    new.constraints.compactMap(\.foreignKey).compactMap { foreignKey in
      let own = foreignKey.columns.compactMap { place(of: $0, in: new.name) }
      let others = foreignKey.keys.compactMap { place(of: $0, in: foreignKey.references) }
      guard foreignKey.distribution != nil, own.count == 2, others.count == 2,
        own[0].table == own[1].table, others[0].table == others[1].table,
        let old = match.source.schema.tables[own[0].table], let key = old.rowKey.first,
        !old.constraints.contains(where: { $0.foreignKey?.columns == own.map(\.column) })
      else { return nil }
      let rows = match.source.schema.qualified(old.name)
      let pairs = zip(others, own).map { other, column in
        "remodel_referenced.\(other.column) = \(rows).\(column.column)" as SQLFragment
      }
      return question(
        "rows that \"\(own[1].column)\" of table \"\(old.name)\" refers to have the same value of "
          + "\"\(own[0].column)\"",
        "Mend the references before.",
        of: old,
        Rows(table: rows, key: key, membership: nil).offending(
          """
          \(rows).\(own[1].column) IS NOT NULL AND NOT EXISTS (SELECT FROM \
          \(match.source.schema.qualified(others[0].table)) AS remodel_referenced \
          WHERE \(pairs.joined(separator: " AND ")))
          """
        )
      )
    }
  }

  private func place(of column: SQLIdentifier, in table: SQLIdentifier) -> ColumnReference? {
    match.oldColumns[ColumnReference(table: table, column: column)]
  }

  private func question(
    _ requirement: String,
    _ remedy: String,
    of table: Table,
    _ query: SQLFragment
  ) -> PlannedPrecondition {
    let entityName =
      switch match.source.tableOrigins[table.name] {
      case .root(let name), .join(let name, _): name
      case nil: table.name.name
      }
    return PlannedPrecondition(
      requirement: requirement,
      remedy: remedy,
      entityName: entityName,
      propertyName: nil,
      coreDataError: 134_110,
      failsSilently: false,
      query: query
    )
  }
}
