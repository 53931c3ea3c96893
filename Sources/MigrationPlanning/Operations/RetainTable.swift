internal import SQLSyntax

/// Leaves a table where it is, for the release that still runs and for the way back; what bound it
/// to others is dropped by operations of its own.
struct RetainTable: SchemaOperation {
  var contents: Table

  var table: SQLIdentifier { contents.name }
  var summary: String { "retain table \"\(table)\"" }
  var dependencies: OperationDependencies {
    OperationDependencies(requires: [.table(table), .unreferenced(table), .reads(table)])
  }
  var rank: OperationRank { .alterations }
  var traits: OperationTraits { [.needsOwnership, .makesObjects] }

  var impact: OperationImpact { OperationImpact() }

  var subjects: [OperationSubject] { [OperationSubject(isGoing: true)] }

  var outcome: OperationOutcome {
    OperationOutcome(removesTable: true, retention: "table \"\(table)\"")
  }

  func sql(in schema: SQLIdentifier) -> OperationSQL { .statements([]) }

  func apply(to schema: inout DatabaseSchema) {
    schema.tables[table] = nil
  }
}
