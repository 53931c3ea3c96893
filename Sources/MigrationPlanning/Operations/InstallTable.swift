internal import SQLSyntax

/// Moves a table that a copy has filled into place, with its indexes, constraints and sequences.
///
/// ```sql
/// ALTER TABLE "staging"."t" SET SCHEMA "s";
/// SELECT pg_catalog.setval('"s"."t__id_seq"', …)
/// ```
struct InstallTable: SchemaOperation {
  /// The table with the constraints and indexes that it has by then.
  var contents: Table
  /// The name that the table has until then.
  var staged: QualifiedName
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

  var impact: OperationImpact { .accessExclusive(staged.name) }

  func lockedParts(in schema: DatabaseSchema) -> Set<LockedObject> { contents.lockedWhole }

  func rowWork(in schema: DatabaseSchema) -> [[RowWork]] {
    let place = schema.qualified(table)
    return staged == place ? [] : [[.rename(staged, to: place)]]
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
    var statements = placement(in: schema)
    for column in contents.columns {
      guard let sequence = column.identitySequence else { continue }
      statements.append(settingValue(of: sequence, column.name, in: schema))
    }
    return .statements(statements)
  }

  private func placement(in schema: SQLIdentifier) -> [SQLFragment] {
    guard staged.schema == schema else { return ["ALTER TABLE \(staged) SET SCHEMA \(schema)"] }
    // A table beside its source was created in place.
    guard staged.name != table else { return [] }
    func rename(_ kind: SQLFragment, _ name: SQLIdentifier) -> SQLFragment {
      let former = QualifiedName(schema: schema, name: StorageNames.staged(name))
      return "ALTER \(kind) \(former) RENAME TO \(name)"
    }
    return [rename("TABLE", table)]
      + contents.constraints.filter(\.hasIndex).map { rename("INDEX", $0.name) }
      + contents.indexes.map { rename("INDEX", $0.name) }
      + contents.columns.compactMap(\.identitySequence).map { rename("SEQUENCE", $0) }
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
    let rows: SQLFragment = "(SELECT max(\(column)) FROM \(target))"
    var known: [SQLFragment] = ["(SELECT last_value FROM \(own) WHERE is_called)"]
    if let formerSequence, formerSequence != sequence, column == contents.key {
      let former = QualifiedName(schema: schema, name: formerSequence)
      known.append("(SELECT last_value FROM \(former) WHERE is_called)")
    }
    let isOnOneNode = staged.schema == schema && staged.name != table
    guard isOnOneNode else {
      let greatest: SQLFragment = "greatest(\(([rows] + known).joined(separator: ", ")), 0)"
      return "SELECT pg_catalog.setval(\(name), greatest(\(greatest), 1), \(greatest) >= 1)"
    }
    // Citus has the node that has the rows run a whole query on them, with the sequences of that node.
    let body: SQLFragment = """

      DECLARE
        last bigint := \(rows);
      BEGIN
        last := greatest(last, \(known.joined(separator: ", ")), 0);
        PERFORM pg_catalog.setval(\(name), greatest(last, 1), last >= 1);
      END

      """
    return "DO \(body.dollarQuoted)"
  }

  func apply(to schema: inout DatabaseSchema) {
    schema.tables[table] = contents
  }
}
