internal import SQLSyntax

/// Drops an object outside of the model that would block later operations.
///
/// ```sql
/// DROP VIEW "s"."v"
/// ```
struct DropDependent: SchemaOperation {
  var object: DependentObject
  /// The objects that this one uses and that are dropped after it.
  var usedDependents: Set<String>
  var statement: SQLFragment

  var table: SQLIdentifier { object.operationTable }
  var summary: String { "drop \(object.name)" }

  var dependencies: OperationDependencies {
    OperationDependencies(
      requires: [.unusedDependent(object.name)],
      provides: Set(usedDependents.map { .unusedDependent($0) }).union(
        object.uses.compactMap {
          if case .column(let table, let column) = $0 { .unused(table, column) } else { nil }
        }
      )
    )
  }

  var rank: OperationRank { .dependentDrops }
  var traits: OperationTraits { [] }

  var impact: OperationImpact {
    OperationImpact(locks: object.attachedTable.map { [$0: object.kind.dropLock] } ?? [:])
  }

  func lockedParts(in schema: DatabaseSchema) -> Set<LockedObject> {
    [.dependent(object.name)]
  }

  var subjects: [OperationSubject] { [] }

  func sql(in schema: SQLIdentifier) -> OperationSQL { .statements([statement]) }

  func apply(to schema: inout DatabaseSchema) {
    // It is no part of the schema.
  }
}

extension DependentObject {
  /// The table that an operation on the object is filed under.
  var operationTable: SQLIdentifier {
    attachedTable ?? uses.map(\.table).min() ?? SQLIdentifier(name)
  }
}

extension DependentObject.Kind {
  /// The lock on the table that an object is a part of, for it to be dropped.
  fileprivate var dropLock: LockMode {
    switch self {
    case .statistics, .publicationTable: .shareUpdateExclusive
    case .view, .materializedView, .routine, .rule, .trigger, .policy, .index, .constraint, .column,
      .settings, .other:
      .accessExclusive
    }
  }
}
