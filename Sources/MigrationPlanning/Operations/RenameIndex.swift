internal import SQLSyntax

/// ```sql
/// ALTER INDEX "s"."t_c_idx" RENAME TO "t_d_idx"
/// ```
struct RenameIndex: SchemaOperation {
  var table: SQLIdentifier
  var name: SQLIdentifier
  var newName: SQLIdentifier
  /// Whether the name is a temporary one, which two names in a circle need.
  var isFromTemporary = false

  var summary: String { "rename index \"\(name)\" to \"\(newName)\"" }

  var dependencies: OperationDependencies {
    OperationDependencies(
      requires: isFromTemporary ? [.table(table), .objectName(table, name)] : [.table(table)],
      provides: [.objectName(table, newName)],
      claims: [.relation(newName)],
      releases: isFromTemporary ? [] : [.relation(name)]
    )
  }

  var impact: OperationImpact { OperationImpact() }

  func sql(in schema: SQLIdentifier) -> OperationSQL {
    .statements([
      "ALTER INDEX \(QualifiedName(schema: schema, name: name)) RENAME TO \(newName)"
    ])
  }

  func apply(to schema: inout DatabaseSchema) {
    guard let index = schema.tables[table]?.indexes.firstIndex(where: { $0.name == name }) else {
      return
    }
    schema.tables[table]?.indexes[index].name = newName
  }
}
