internal import SQLSyntax

/// Retains a table in place, for the running release and for a revert; other operations drop its
/// bindings to other tables.
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
