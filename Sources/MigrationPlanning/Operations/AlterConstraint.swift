internal import ObjectModel
internal import SQLSyntax

/// Changes when a foreign key is checked, without looking at any row.
///
/// ```sql
/// ALTER TABLE "s"."t" ALTER CONSTRAINT "t_c_fkey" NOT DEFERRABLE
/// ```
struct AlterConstraint: SchemaOperation {
  var table: SQLIdentifier
  /// The name that the constraint has by then.
  var name: SQLIdentifier
  /// The foreign key afterwards.
  var foreignKey: ForeignKey

  var summary: String {
    "have constraint \"\(name)\" of table \"\(table)\" checked \(foreignKey.deferrability.checked)"
  }

  var dependencies: OperationDependencies {
    OperationDependencies(requires: [.table(table), .objectName(table, name)])
  }

  var rank: OperationRank { .alterations }
  var traits: OperationTraits { [.needsOwnership, .staysInTable] }

  var impact: OperationImpact { .accessExclusive(table) }

  func lockedParts(in schema: DatabaseSchema) -> Set<LockedObject> {
    [.constraint(name, of: table), .keyTriggers(name, of: table)]
  }

  var subjects: [OperationSubject] { [OperationSubject(column: foreignKey.column)] }

  func relevance(to finding: ReleaseComparison.Finding) -> Int? {
    let isAbout =
      finding.cause == .object(name, table: table)
      || finding.cause == .formerObject(name, table: table)
    return isAbout ? 0 : nil
  }

  func sql(in schema: SQLIdentifier) -> OperationSQL {
    .clauses(["ALTER CONSTRAINT \(name) \(foreignKey.deferrability.clause)"])
  }

  func apply(to schema: inout DatabaseSchema) {
    guard let constraints = schema.tables[table]?.constraints,
      let index = constraints.firstIndex(where: { $0.name == name })
    else { return }
    schema.tables[table]?.constraints[index].definition = .foreignKey(foreignKey)
  }
}

extension AlterConstraint {
  /// Finds the constraint that differs from another one in nothing but when it is checked.
  ///
  /// - Parameters:
  ///   - before: The constraint, with the names that all has by then.
  ///   - constraints: Those of the destination.
  /// - Returns: The position of the other one.
  static func position(of before: Constraint, in constraints: [Constraint]) -> Int? {
    guard var foreignKey = before.foreignKey else { return nil }
    return constraints.firstIndex { after in
      guard let other = after.foreignKey else { return false }
      foreignKey.deferrability = other.deferrability
      return foreignKey == other
    }
  }
}

extension ForeignKey.Deferrability {
  fileprivate var clause: SQLFragment {
    switch self {
    case .notDeferrable: "NOT DEFERRABLE"
    case .immediate: "DEFERRABLE INITIALLY IMMEDIATE"
    case .deferred: "DEFERRABLE INITIALLY DEFERRED"
    }
  }

  fileprivate var checked: String {
    switch self {
    case .notDeferrable: "by every statement"
    case .immediate: "by every statement that does not defer it"
    case .deferred: "at the end of transactions"
    }
  }
}
