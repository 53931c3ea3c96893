internal import SQLSyntax

/// ```sql
/// ALTER TABLE "s"."t" ADD CONSTRAINT "t_c_key" UNIQUE ("c")
/// ```
struct AddConstraint: SchemaOperation {
  var table: SQLIdentifier
  var constraint: Constraint
  /// Whether it holds for what is written from now on, and the rows that are there are looked at
  /// later, while others read and write.
  var isValidatedLater = false

  var summary: String { "add constraint \"\(constraint.name)\" to table \"\(table)\"" }

  var dependencies: OperationDependencies {
    var dependencies = OperationDependencies()
    dependencies.requires = .settled(constraint.columns, of: table)
    if let foreignKey = constraint.foreignKey {
      let referenced = foreignKey.references
      dependencies.requires.formUnion([
        .table(referenced), .rows(referenced), .returned(referenced),
        .columnName(referenced, foreignKey.key),
      ])
    }
    dependencies.claims = [.constraint(table, constraint.name)]
    if constraint.hasIndex { dependencies.claims.insert(.relation(constraint.name)) }
    return dependencies
  }

  var impact: OperationImpact {
    switch constraint.definition {
    case .foreignKey(let foreignKey):
      OperationImpact(
        // An entity may have a relationship to itself.
        locks: Dictionary(
          [table, foreignKey.references].map { ($0, .shareRowExclusive) },
          uniquingKeysWith: { first, _ in first }
        ),
        scans: isValidatedLater ? [] : [table, foreignKey.references],
        hazards: isValidatedLater ? [] : [.failsOnData]
      )
    case .primaryKey, .unique, .check:
      OperationImpact(
        locks: [table: .accessExclusive],
        scans: isValidatedLater ? [] : [table],
        hazards: isValidatedLater ? [] : [.failsOnData]
      )
    }
  }

  func sql(in schema: SQLIdentifier) -> OperationSQL {
    let clause: SQLFragment = "ADD \(constraint.clause(in: schema))"
    return .clauses([isValidatedLater ? "\(clause) NOT VALID" : clause])
  }

  func apply(to schema: inout DatabaseSchema) {
    schema.tables[table]?.constraints.append(constraint)
  }
}
