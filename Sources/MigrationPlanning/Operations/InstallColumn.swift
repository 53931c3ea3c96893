internal import SQLSyntax

/// Gives a filled column its name, its default and its NOT NULL, which is proven already.
///
/// ```sql
/// ALTER TABLE "s"."t" DROP COLUMN "c";
/// ALTER TABLE "s"."t" RENAME COLUMN "remodel_temporary_c" TO "c";
/// ALTER TABLE "s"."t" ALTER COLUMN "c" SET DEFAULT 0, ALTER COLUMN "c" SET NOT NULL;
/// ALTER TABLE "s"."t" DROP CONSTRAINT "remodel_temporary_t_c_filled"
/// ```
struct InstallColumn: SchemaOperation {
  /// The table, by its name afterwards.
  var table: SQLIdentifier
  var filled: FilledColumn
  /// The column that it is to be.
  var column: Column
  /// The column whose place it takes, with another type.
  var former: Column?
  /// Whether the NOT NULL constraint gets its name by the statement, from PostgreSQL 18 on.
  var isNamed = false

  var summary: String {
    former == nil
      ? "add filled column \"\(column.name)\" to table \"\(table)\""
      : "replace column \"\(column.name)\" of table \"\(table)\" by the filled one of type \(column.type)"
  }

  var dependencies: OperationDependencies {
    let name = column.name
    var dependencies = OperationDependencies(
      requires: [.table(table)],
      provides: [.columnName(table, name), .columnType(table, name), .values(table, name)]
    )
    if former == nil {
      dependencies.requires.insert(.vacancy(table, name))
      dependencies.claims = [.column(table, name)]
    } else {
      dependencies.requires.formUnion([
        .formerColumn(table, name), .freedom(table, name), .unread(table, name), .quiet(table),
        .unused(table, name),
      ])
    }
    if let constraint = column.notNullConstraint {
      dependencies.claims.insert(.constraint(table, constraint))
    }
    return dependencies
  }

  var rank: OperationRank { .alterations }
  var traits: OperationTraits { [.needsOwnership] }
  var impact: OperationImpact { .accessExclusive(table) }

  func lockedParts(in schema: DatabaseSchema) -> Set<LockedObject> {
    [.notNull(column.name, of: table), .columnDefault(column.name, of: table)]
  }

  var subjects: [OperationSubject] { [OperationSubject(column: column.name)] }

  var outcome: OperationOutcome {
    OperationOutcome(
      addedColumn: former == nil ? column.name : nil,
      settledNotNull: column.name
    )
  }

  // What depends on a column goes with it.
  var dependentBreakage: DependentBreakage {
    former == nil ? .none : .columnReplaced(column.name)
  }

  func relevance(to finding: ReleaseComparison.Finding) -> Int? {
    guard finding.isAbout(column.name, of: table) else { return nil }
    if case .typeChanged = finding.breakage { return 0 }
    if case .valueRequired = finding.breakage { return 1 }
    return nil
  }

  func mayFail(_ risks: RowRisks, at places: [StatementPlace]) -> Bool { false }

  func sql(in schema: SQLIdentifier) -> OperationSQL {
    let alteration: SQLFragment = "ALTER TABLE \(QualifiedName(schema: schema, name: table))"
    var statements: [SQLFragment] = []
    if former != nil { statements.append("\(alteration) DROP COLUMN \(column.name)") }
    statements.append("\(alteration) RENAME COLUMN \(filled.temporaryName) TO \(column.name)")
    var clauses: [SQLFragment] = []
    if let expression = column.defaultExpression {
      clauses.append("ALTER COLUMN \(column.name) SET DEFAULT \(expression)")
    }
    if let constraint = column.notNullConstraint {
      clauses.append(
        isNamed
          ? "ADD CONSTRAINT \(constraint) NOT NULL \(column.name)"
          : "ALTER COLUMN \(column.name) SET NOT NULL"
      )
    }
    if !clauses.isEmpty { statements.append("\(alteration) \(clauses.joined(separator: ", "))") }
    if filled.isRequired { statements.append("\(alteration) DROP CONSTRAINT \(filled.proof)") }
    return .statements(statements)
  }

  func apply(to schema: inout DatabaseSchema) {
    schema.tables[table]?.columns.removeAll { $0.name == column.name }
    schema.tables[table]?.columns.append(column)
  }
}
