internal import SQLSyntax

extension CopyPlan {
  /// Adds what makes the staging schema and its tables, what completes them, and what is left to be
  /// removed in the end.
  ///
  /// - Parameters:
  ///   - staged: The tables.
  ///   - keysFirst: Whether the tables have their primary keys before they are filled.
  ///   - tables: The tables of the destination.
  ///   - createsSchema: Whether the staging schema is still to be made.
  mutating func stage(
    _ staged: StagedTables,
    keysFirst: Bool,
    in tables: [SQLIdentifier: Table],
    createsSchema: Bool = true
  ) {
    var creation =
      createsSchema
      ? [
        PlannedStatement(
          sql: "CREATE SCHEMA \(stagingSchema)",
          reason: "create schema \"\(stagingSchema)\" for tables that are made anew",
          impact: OperationImpact(),
          madeSchema: stagingSchema
        )
      ] : []
    var keys: [MigrationOperation] = []
    for operation in staged.creations {
      var operation = operation
      if !keysFirst {
        for constraint in operation.contents.constraints where constraint.isPrimaryKey {
          keys.append(.addConstraint(AddConstraint(table: operation.table, constraint: constraint)))
        }
        operation.contents.constraints.removeAll(where: \.isPrimaryKey)
      }
      creation += statements([.createTable(operation)], tables)
    }
    preparation = creation + preparation
    completion += statements(keys + staged.completions.filter(\.isOfOneTable), tables)
    completion += staged.creations.map { operation in
      let name = QualifiedName(schema: stagingSchema, name: operation.table)
      return PlannedStatement(
        sql: "ANALYZE \(name)",
        reason: "gather statistics of table \"\(operation.table)\"",
        impact: OperationImpact(),
        places: [StatementPlace(made: operation.table)]
      )
    }
    completion += statements(staged.completions.filter { !$0.isOfOneTable }, tables)
  }

  private func statements(
    _ operations: [MigrationOperation],
    _ tables: [SQLIdentifier: Table]
  ) -> [PlannedStatement] {
    operations.flatMap { operation -> [PlannedStatement] in
      let table = QualifiedName(schema: stagingSchema, name: operation.base.table)
      let texts: [SQLFragment] =
        switch operation.base.sql(in: stagingSchema) {
        case .statements(let texts): texts
        case .clauses(let clauses):
          ["ALTER TABLE \(table)\n  \(clauses.joined(separator: ",\n  "))"]
        }
      let works = operation.rowWork(in: stagingSchema, tables)
      return texts.enumerated().map { index, text in
        PlannedStatement(
          sql: text,
          reason: operation.base.summary,
          // Nobody else sees these tables.
          impact: OperationImpact(),
          lockedObjects: operation.lockedObjects(tables),
          rowWork: works.indices.contains(index) ? works[index] : [],
          places: [StatementPlace(made: operation.base.table)]
        )
      }
    }
  }

  /// The statements that fill the tables at once, where nobody writes meanwhile.
  func fillStatements() -> [PlannedStatement] {
    var statements = openings
    for map in maps {
      for fill in map.fill {
        statements.append(
          statement(
            fill.sql { _ in "true" },
            "give new keys by entity mapping \"\(map.mappingName)\"",
            reading: [map.source],
            [.fill(map.members, from: qualified(map.source), .newKeys)],
            [StatementPlace(before: .init(table: map.source))]
          )
        )
      }
      statements.append(
        statement(
          "ANALYZE \(map.members)",
          "gather statistics of the map of entity mapping \"\(map.mappingName)\""
        )
      )
    }
    for rowPolicy in rowPolicies {
      var planned = rowPolicy.planned
      planned.rowWork = [.fill(rowPolicy.table, from: qualified(rowPolicy.source), .policy)]
      statements += [
        planned,
        statement(
          "ANALYZE \(rowPolicy.table)",
          "gather statistics of what policy \"\(rowPolicy.policyClassName)\" has made"
        ),
      ]
    }
    statements += keyStarts
    for (table, feed) in orderedFeeds {
      let sql = feed.insertion.map { $0.sql { _ in "true" } } ?? insertion(of: feed, into: table)
      let read = sql.relations(in: schema)
      statements.append(
        statement(
          sql,
          "copy rows to table \"\(table.name)\" by entity mapping \"\(feed.mappingName)\"",
          reading: sources.map(\.table).filter(read.contains),
          filling(table, by: feed),
          [StatementPlace(made: table.name)],
          isWritten: feed.insertion != nil
        )
      )
    }
    return statements + closings
  }

  private func insertion(of feed: CopyFeed, into table: CopiedTable) -> SQLFragment {
    let name = QualifiedName(schema: stagingSchema, name: table.name)
    return "INSERT INTO \(name) (\(table.columns))\(table.overriding)\n\(feed.query())"
  }

  /// The statements that remove what is left of the copy when the tables have their places.
  var removal: [PlannedStatement] {
    [
      statement(
        "DROP SCHEMA \(stagingSchema) CASCADE",
        "drop schema \"\(stagingSchema)\" with the maps of keys"
      )
    ]
  }

  /// Returns the statement that makes a schema for the maps of keys alone.
  func creation(ofMapSchema name: SQLIdentifier) -> PlannedStatement {
    var creation = statement(
      "CREATE SCHEMA \(name)",
      "create schema \"\(name)\" for the maps of keys"
    )
    creation.madeSchema = name
    return creation
  }

  /// Returns the statement that removes it.
  func removal(ofMapSchema name: SQLIdentifier) -> PlannedStatement {
    statement("DROP SCHEMA \(name) CASCADE", "drop schema \"\(name)\" with the maps of keys")
  }

  private func statement(
    _ sql: SQLFragment,
    _ reason: String,
    reading tables: [SQLIdentifier] = [],
    _ work: [RowWork] = [],
    _ places: [StatementPlace] = [],
    isWritten: Bool = false
  ) -> PlannedStatement {
    PlannedStatement(
      sql: sql,
      reason: reason,
      impact: OperationImpact(
        locks: Dictionary(
          tables.map { ($0, .accessShare) },
          uniquingKeysWith: { first, _ in first }
        ),
        scans: Set(tables),
        hazards: isWritten ? Hazard.ofUnknownSQL : []
      ),
      isWritten: isWritten,
      rowWork: work,
      places: places
    )
  }

  // MARK: - Work

  private func qualified(_ table: SQLIdentifier) -> QualifiedName {
    QualifiedName(schema: schema, name: table)
  }

  /// Returns what the rows of a table that a feed gives follow from, one by one.
  private func filling(_ table: CopiedTable, by feed: CopyFeed) -> [RowWork] {
    let map = maps.first { $0.mappingName == feed.mappingName }?.source
    let rowPolicy = rowPolicies.first { $0.mappingName == feed.mappingName }?.source
    let isPlain = map == nil && rowPolicy == nil && feed.domain.schema == schema
    let origin = map ?? rowPolicy ?? (isPlain ? feed.domain.name : sources.first?.table)
    let made = QualifiedName(schema: stagingSchema, name: table.name)
    return origin.map { [.fill(made, from: qualified($0), isPlain ? .rows : .mappedRows)] } ?? []
  }
}

extension MigrationOperation {
  /// A Boolean value that indicates whether it concerns no other table than its own.
  fileprivate var isOfOneTable: Bool {
    guard case .addConstraint(let addition) = self else { return true }
    return addition.constraint.referencedTable == nil
  }
}
