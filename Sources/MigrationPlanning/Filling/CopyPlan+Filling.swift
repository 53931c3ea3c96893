internal import SQLSyntax

extension CopyPlan {
  /// Creates the plan that fills columns in place; `nil` if there are none.
  init?(
    filling fills: [FilledTable],
    of source: ModelProjection,
    stagingSchema: SQLIdentifier
  ) {
    guard !fills.isEmpty else { return nil }
    let schema = source.schema
    let statements = fills.map {
      (table: $0, sql: FillStatements(of: $0, in: schema.name, stagingSchema: stagingSchema))
    }
    let schemaCreation = PlannedStatement(
      sql: "CREATE SCHEMA \(stagingSchema)",
      reason: "create schema \"\(stagingSchema)\" for the functions of the triggers",
      madeSchema: stagingSchema
    )
    self.init(
      schema: schema.name,
      stagingSchema: stagingSchema,
      sources: fills.compactMap { fill in
        schema.tables[fill.name].map { CopySource($0) }
      },
      maps: [],
      tables: [],
      preparation: [schemaCreation]
        + statements.flatMap { _, sql in
          sql.functionCreation.map { PlannedStatement(sql: $0.sql, reason: $0.reason) }
        },
      mappingNames: fills.map(\.mappingName),
      completion: statements.flatMap { Self.proofs(of: $0.table, $0.sql) },
      carriedParts: statements.map { table, sql in
        CarriedPart(
          statements: sql.installation.map {
            PlannedStatement(
              sql: $0.sql,
              reason: $0.reason,
              impact: .accessExclusive(table.name),
              places: table.places
            )
          },
          removal: sql.removal,
          comesBeforeRows: true
        )
      },
      fills: fills
    )
  }

  private static func proofs(
    of table: FilledTable,
    _ statements: FillStatements
  ) -> [PlannedStatement] {
    statements.proofs.flatMap { proof in
      [
        PlannedStatement(
          sql: proof.promise,
          reason: "refuse nulls in the filled columns of table \"\(table.name)\"",
          impact: .accessExclusive(table.name),
          places: table.places
        ),
        PlannedStatement(
          sql: proof.validation,
          reason: "validate constraint \"\(proof.name)\" of table \"\(table.name)\"",
          impact: OperationImpact(
            locks: [table.name: .shareUpdateExclusive],
            scans: [table.name],
            hazards: [.failsOnData]
          ),
          places: table.places
        ),
      ]
    }
  }

  /// A Boolean value that indicates whether the server has to prove that filled columns have values.
  package var provesValues: Bool { fills.contains { $0.columns.contains(where: \.isRequired) } }

  /// The statement that fills the columns of all rows of a table.
  func filling(_ table: FilledTable) -> PlannedStatement {
    PlannedStatement(
      sql: FillStatements(of: table, in: self).fill,
      reason: "fill \(table.columnList) of table \"\(table.name)\"",
      impact: OperationImpact(locks: [table.name: .rowExclusive], scans: [table.name]),
      rowWork: [.change(QualifiedName(schema: schema, name: table.name))],
      places: table.places
    )
  }
}

extension FilledTable {
  /// The columns in words.
  var columnList: String {
    let names = columns.map { "\"\($0.place.column)\"" }
    return (names.count == 1 ? "column " : "columns ") + names.joined(separator: ", ")
  }

  fileprivate var places: [StatementPlace] {
    columns.map { column in
      StatementPlace(
        before: .init(table: name),
        after: .init(table: column.place.table, column: column.place.column)
      )
    }
  }
}

extension CopySource {
  /// Creates a table of the source all of whose changes are computed at once.
  fileprivate init(_ table: Table) {
    self.init(
      table: table.name,
      key: table.rowKey.compactMap { table.column($0) }
        .map { KeyColumn(name: $0.name, type: $0.type) },
      carried: [],
      watched: []
    )
  }
}
