internal import SQLSyntax

/// ```sql
/// CREATE INDEX "t_c_idx" ON "s"."t" ("c")
/// ```
struct CreateIndex: SchemaOperation {
  var table: SQLIdentifier
  var index: Index

  var summary: String { "create index \"\(index.name)\" on table \"\(table)\"" }

  var dependencies: OperationDependencies {
    OperationDependencies(
      requires: .settled(index.readColumns, of: table),
      claims: [.relation(index.name)]
    )
  }

  var impact: OperationImpact {
    // Rows may be too long for any index.
    OperationImpact(locks: [table: .share], scans: [table], hazards: [.failsOnData])
  }

  func sql(in schema: SQLIdentifier) -> OperationSQL {
    let owner = QualifiedName(schema: schema, name: table)
    return .statements([index.creation(of: owner, isConcurrent: false)])
  }

  func apply(to schema: inout DatabaseSchema) {
    schema.tables[table]?.indexes.append(index)
  }
}
