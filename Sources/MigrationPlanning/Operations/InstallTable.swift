internal import SQLSyntax

/// Moves a table from the staging schema into place, with its indexes, constraints and sequences.
///
/// ```sql
/// ALTER TABLE "staging"."t" SET SCHEMA "s";
/// SELECT pg_catalog.setval('"s"."t__id_seq"', …)
/// ```
struct InstallTable: SchemaOperation {
  /// The table with the constraints and indexes that it has by then.
  var contents: Table
  var stagingSchema: SQLIdentifier
  /// A sequence that gave keys to rows of the table until now; its keys are not given again.
  var formerSequence: SQLIdentifier?

  var table: SQLIdentifier { contents.name }
  var summary: String { "move table \"\(table)\" to its place" }

  var dependencies: OperationDependencies {
    OperationDependencies(
      provides: .settled(contents.columns.map(\.name), of: table),
      claims: Set(contents.relationNames.map { .relation($0) })
    )
  }

  var rank: OperationRank { .newTables }
  var traits: OperationTraits { [.needsOwnership, .makesObjects] }

  var impact: OperationImpact { .accessExclusive(table) }

  func lockedParts(in schema: DatabaseSchema) -> Set<LockedObject> { contents.lockedWhole }

  func rowWork(in schema: DatabaseSchema) -> [[RowWork]] {
    let place = schema.qualified(table)
    return stagingSchema == schema.name
      ? [] : [[.rename(QualifiedName(schema: stagingSchema, name: table), to: place)]]
  }

  var outcome: OperationOutcome {
    OperationOutcome(madeTables: [table], filledTables: [table])
  }

  var dependentBreakage: DependentBreakage { .tableReplaced }

  /// It is a better explanation than the later operations on the table.
  func relevance(to finding: ReleaseComparison.Finding) -> Int? {
    finding.owner == table ? 8 : nil
  }

  func sql(in schema: SQLIdentifier) -> OperationSQL {
    let staged = QualifiedName(schema: stagingSchema, name: table)
    // A table beside its source was created in place.
    var statements: [SQLFragment] =
      stagingSchema == schema ? [] : ["ALTER TABLE \(staged) SET SCHEMA \(schema)"]
    for column in contents.columns {
      guard let sequence = column.identitySequence else { continue }
      statements.append(settingValue(of: sequence, column.name, in: schema))
    }
    return .statements(statements)
  }

  /// The next key follows all existing and former ones.
  private func settingValue(
    of sequence: SQLIdentifier,
    _ column: SQLIdentifier,
    in schema: SQLIdentifier
  ) -> SQLFragment {
    let name = SQLLiteral.text(QualifiedName(schema: schema, name: sequence).quoted)
    let target = QualifiedName(schema: schema, name: table)
    let own = QualifiedName(schema: schema, name: sequence)
    var known: [SQLFragment] = [
      "(SELECT max(\(column)) FROM \(target))",
      "(SELECT last_value FROM \(own) WHERE is_called)",
    ]
    if let formerSequence, formerSequence != sequence, column == contents.key {
      let former = QualifiedName(schema: schema, name: formerSequence)
      known.append("(SELECT last_value FROM \(former) WHERE is_called)")
    }
    let greatest: SQLFragment = "greatest(\(known.joined(separator: ", ")), 0)"
    return """
      SELECT pg_catalog.setval(\(name), greatest(\(greatest), 1), \(greatest) >= 1)
      """
  }

  func apply(to schema: inout DatabaseSchema) {
    schema.tables[table] = contents
  }
}
