internal import SQLSyntax

/// ```sql
/// ALTER TABLE "s"."t" RENAME COLUMN "c" TO "d"
/// ```
struct RenameColumn: SchemaOperation {
  var table: SQLIdentifier
  var name: SQLIdentifier
  var newName: SQLIdentifier
  /// Whether the name is a temporary one, which two names in a circle need.
  var isFromTemporary = false

  var summary: String { "rename column \"\(name)\" of table \"\(table)\" to \"\(newName)\"" }

  var dependencies: OperationDependencies {
    OperationDependencies(
      requires: isFromTemporary
        ? [.table(table), .columnName(table, name)] : [.table(table)],
      provides: [.columnName(table, newName)],
      claims: [.column(table, newName)],
      // Nobody else waits for a temporary name.
      releases: isFromTemporary ? [] : [.column(table, name)]
    )
  }

  var impact: OperationImpact { .accessExclusive(table) }

  func sql(in schema: SQLIdentifier) -> OperationSQL {
    let owner = QualifiedName(schema: schema, name: table)
    return .statements(["ALTER TABLE \(owner) RENAME COLUMN \(name) TO \(newName)"])
  }

  func apply(to schema: inout DatabaseSchema) {
    schema.tables[table]?.renameColumns([name: newName])
    for other in schema.tables.keys {
      schema.tables[other]?.renameReferences([:], keys: [table: [name: newName]])
    }
  }
}
