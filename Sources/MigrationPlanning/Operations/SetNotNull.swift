internal import SQLSyntax

/// ```sql
/// ALTER TABLE "s"."t" ALTER COLUMN "c" SET NOT NULL
/// ALTER TABLE "s"."t" ADD CONSTRAINT "t_c_not_null" NOT NULL "c"
/// ALTER TABLE "s"."t" RENAME CONSTRAINT "nn" TO "t_c_not_null"
/// ```
struct SetNotNull: SchemaOperation {
  var table: SQLIdentifier
  var column: SQLIdentifier
  /// The name that the server gives the constraint by itself, if no other has it.
  var constraint: SQLIdentifier
  /// Whether to name the constraint, from PostgreSQL 18 on: otherwise the server adds a number if
  /// another table, such as a retained one, has the same name.
  var isNamed = false
  /// The existing constraint of the column that becomes this one; a column has only one.
  var found: NotNullConstraint?
  /// The form that refuses new nulls while existing rows are validated later; `nil` if they are
  /// validated at once.
  var unvalidatedForm: NotNullForm?

  var summary: String { "set column \"\(column)\" of table \"\(table)\" to not null" }

  var dependencies: OperationDependencies {
    OperationDependencies(
      requires: .settled([column], of: table),
      claims: [.constraint(table, constraint)],
      releases: found.map { [.constraint(table, $0.name)] } ?? []
    )
  }

  var rank: OperationRank { .alterations }
  var traits: OperationTraits { [.needsOwnership, .staysInTable, .appliesToNewTables] }

  var impact: OperationImpact {
    var impact = OperationImpact.accessExclusive(table)
    if unvalidatedForm == nil, found?.isValid != true {
      impact.scans = [table]
      impact.hazards.insert(.failsOnData)
    }
    return impact
  }

  func lockedParts(in schema: DatabaseSchema) -> Set<LockedObject> { [] }

  var subjects: [OperationSubject] { [OperationSubject(column: column)] }
  var outcome: OperationOutcome { OperationOutcome(settledNotNull: column) }

  func relevance(to finding: ReleaseComparison.Finding) -> Int? {
    guard case .valueRequired = finding.breakage else { return nil }
    return finding.isAbout(column, of: table) ? 0 : nil
  }

  func mayFail(_ risks: RowRisks, at places: [StatementPlace]) -> Bool {
    unvalidatedForm == nil && risks.isAsked(places)
      || risks.destination.mayDeriveNothing(column, of: table)
  }

  func divided(by changes: OnlineChanges) -> OnlineChanges.Division? {
    changes.largeTables.contains(table) ? postponed(on: changes.serverMajor) : nil
  }

  /// Returns the form that refuses new nulls, and the deferred validation.
  func postponed(on serverMajor: Int) -> OnlineChanges.Division {
    let form = NotNullForm(of: column, of: table, serverMajor: serverMajor)
    var unvalidated = self
    unvalidated.unvalidatedForm = form
    let requirement = NotNullRequirement(
      table: table,
      column: column,
      constraint: constraint,
      form: form
    )
    return ([.setNotNull(unvalidated)], [.setNotNull(requirement)])
  }

  func sql(in schema: SQLIdentifier) -> OperationSQL {
    if let found { return .statements(adoption(of: found, in: schema)) }
    if let unvalidatedForm {
      return .clauses(["ADD \(unvalidatedForm.clause(for: column, named: constraint))"])
    }
    return .clauses([
      isNamed
        ? "ADD CONSTRAINT \(constraint) NOT NULL \(column)" : "ALTER COLUMN \(column) SET NOT NULL"
    ])
  }

  /// Has a constraint be this one; one that is not valid yet is validated.
  private func adoption(
    of found: NotNullConstraint,
    in schema: SQLIdentifier
  ) -> [SQLFragment] {
    let alteration: SQLFragment = "ALTER TABLE \(QualifiedName(schema: schema, name: table))"
    var statements: [SQLFragment] = []
    if found.name != constraint {
      statements.append("\(alteration) RENAME CONSTRAINT \(found.name) TO \(constraint)")
    }
    if unvalidatedForm == nil, !found.isValid {
      statements.append("\(alteration) ALTER COLUMN \(column) SET NOT NULL")
    }
    return statements
  }

  func apply(to schema: inout DatabaseSchema) {
    guard unvalidatedForm == nil else { return }
    schema.tables[table]?.withColumn(column) { $0.notNullConstraint = constraint }
  }
}
