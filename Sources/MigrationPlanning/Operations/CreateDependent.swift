internal import SQLSyntax

/// Makes something that no model has again, as it was before it was dropped.
///
/// ```sql
/// CREATE VIEW "s"."v" AS SELECT …;
/// ALTER VIEW "s"."v" OWNER TO "r"
/// ```
struct CreateDependent: SchemaOperation {
  var object: DependentObject
  /// The objects that this one uses and that are created before it.
  var usedDependents: Set<String>
  var statements: [SQLFragment]
  /// Whether it scans the objects that it uses.
  var scansTables: Bool

  var table: SQLIdentifier { object.operationTable }
  var summary: String {
    switch object.kind {
    case .settings: "carry over to table \"\(table)\" what people have set"
    case .view, .materializedView, .routine, .rule, .trigger, .policy, .statistics,
      .publicationTable, .index, .constraint, .column, .other:
      "create \(object.name) again"
    }
  }

  var dependencies: OperationDependencies {
    var requires = Set(usedDependents.map { OperationDependencies.Resource.dependent($0) })
    for usage in object.uses {
      requires.insert(.table(usage.table))
      if object.kind != .settings { requires.insert(.settings(usage.table)) }
      if case .column(let table, let column) = usage {
        requires.formUnion([
          .columnName(table, column), .columnType(table, column), .values(table, column),
        ])
      }
    }
    var provides: Set<OperationDependencies.Resource> = [.dependent(object.name)]
    if object.kind == .settings, let table = object.attachedTable {
      provides.insert(.settings(table))
    }
    return OperationDependencies(requires: requires, provides: provides)
  }

  var rank: OperationRank { .dependentCreations }
  var traits: OperationTraits { [.makesObjects] }

  var impact: OperationImpact {
    var impact = OperationImpact()
    let mode: LockMode = mayWrite ? .rowExclusive : .accessShare
    for usage in object.uses where usage.isRead { impact.locks[usage.table] = mode }
    if let table = object.attachedTable { impact.locks[table] = object.kind.creationLock }
    if scansTables { impact.scans = Set(object.uses.map(\.table)) }
    return impact
  }

  /// Whether something in a body writes rows; which of the tables it is of, the server does not tell.
  private var mayWrite: Bool {
    switch object.kind {
    case .rule, .routine:
      ["INSERT INTO ", "UPDATE ", "DELETE FROM ", "MERGE INTO "].contains { word in
        statements.contains { $0.text.contains(word) }
      }
    case .view, .materializedView, .trigger, .policy, .statistics, .publicationTable, .index,
      .constraint, .column, .settings, .other:
      false
    }
  }

  func lockedParts(in schema: DatabaseSchema) -> Set<LockedObject> {
    [.dependent(object.name)]
  }

  var subjects: [OperationSubject] { [] }
  var remadeDependent: DependentObject? { object }

  func sql(in schema: SQLIdentifier) -> OperationSQL { .statements(statements) }

  func apply(to schema: inout DatabaseSchema) {
    // It is no part of the schema.
  }
}

extension DependentObject.Kind {
  /// The lock on the table that the object becomes a part of.
  fileprivate var creationLock: LockMode {
    switch self {
    case .statistics, .publicationTable: .shareUpdateExclusive
    case .trigger: .shareRowExclusive
    case .view, .materializedView, .routine, .rule, .policy, .index, .constraint, .column,
      .settings, .other:
      .accessExclusive
    }
  }
}

extension DependentObject.Usage {
  /// Whether the server opens the table to resolve names.
  fileprivate var isRead: Bool {
    switch self {
    case .table, .column: true
    case .rowType, .part: false
    }
  }
}
