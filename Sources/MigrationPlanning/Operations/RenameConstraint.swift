internal import SQLSyntax

/// The index of a constraint goes with it.
///
/// ```sql
/// ALTER TABLE "s"."t" RENAME CONSTRAINT "t_c_key" TO "t_d_key"
/// ```
struct RenameConstraint: SchemaOperation {
  var table: SQLIdentifier
  var name: SQLIdentifier
  var newName: SQLIdentifier
  var hasIndex: Bool
  /// The column, if this is its NOT NULL constraint.
  var notNullColumn: SQLIdentifier?
  /// Whether the server keeps the name at all: that of NOT NULL it does from version 18 on.
  var isNamed = true
  /// Whether the name is a temporary one, which two names in a circle need.
  var isFromTemporary = false

  var summary: String {
    "rename constraint \"\(name)\" of table \"\(table)\" to \"\(newName)\""
  }

  var dependencies: OperationDependencies {
    var dependencies = OperationDependencies(
      requires: [.table(table)],
      provides: [.objectName(table, newName)],
      claims: [.constraint(table, newName)],
      releases: [.constraint(table, name)]
    )
    if hasIndex {
      dependencies.claims.insert(.relation(newName))
      dependencies.releases.insert(.relation(name))
    }
    if isFromTemporary {
      dependencies.requires.insert(.objectName(table, name))
      dependencies.releases = []
    }
    if let notNullColumn { dependencies.requires.insert(.columnName(table, notNullColumn)) }
    return dependencies
  }

  var impact: OperationImpact { isNamed ? .accessExclusive(table) : OperationImpact() }

  func sql(in schema: SQLIdentifier) -> OperationSQL {
    guard isNamed else { return .statements([]) }
    let owner = QualifiedName(schema: schema, name: table)
    return .statements(["ALTER TABLE \(owner) RENAME CONSTRAINT \(name) TO \(newName)"])
  }

  func apply(to schema: inout DatabaseSchema) {
    if let notNullColumn {
      schema.tables[table]?.withColumn(notNullColumn) { $0.notNullConstraint = newName }
      return
    }
    guard let index = schema.tables[table]?.constraints.firstIndex(where: { $0.name == name })
    else { return }
    schema.tables[table]?.constraints[index].name = newName
  }
}
