internal import SQLSyntax

/// ```sql
/// ALTER SEQUENCE "s"."t__id_seq" RENAME TO "u__id_seq"
/// ```
struct RenameSequence: SchemaOperation {
  var table: SQLIdentifier
  var column: SQLIdentifier
  var name: SQLIdentifier
  var newName: SQLIdentifier
  /// Whether the name is a temporary one, which two names in a circle need.
  var isFromTemporary = false

  var summary: String { "rename sequence \"\(name)\" to \"\(newName)\"" }

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
      "ALTER SEQUENCE \(QualifiedName(schema: schema, name: name)) RENAME TO \(newName)"
    ])
  }

  func apply(to schema: inout DatabaseSchema) {
    schema.tables[table]?.withColumn(column) { $0.identitySequence = newName }
  }
}
