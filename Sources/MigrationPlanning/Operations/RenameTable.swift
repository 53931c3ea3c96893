internal import SQLSyntax

/// ```sql
/// ALTER TABLE "s"."t" RENAME TO "u"
/// ```
struct RenameTable: SchemaOperation {
  var name: SQLIdentifier
  var newName: SQLIdentifier
  /// Whether the name is a temporary one, which two names in a circle need.
  var isFromTemporary = false

  var table: SQLIdentifier { newName }
  var summary: String { "rename table \"\(name)\" to \"\(newName)\"" }

  var dependencies: OperationDependencies {
    OperationDependencies(
      requires: isFromTemporary ? [.table(name)] : [],
      provides: [.table(newName)],
      claims: [.relation(newName)],
      // Nobody else waits for a temporary name.
      releases: isFromTemporary ? [] : [.relation(name)]
    )
  }

  var impact: OperationImpact { .accessExclusive(name) }

  func sql(in schema: SQLIdentifier) -> OperationSQL {
    .statements([
      "ALTER TABLE \(QualifiedName(schema: schema, name: name)) RENAME TO \(newName)"
    ])
  }

  func apply(to schema: inout DatabaseSchema) {
    guard var table = schema.tables.removeValue(forKey: name) else { return }
    table.name = newName
    schema.tables[newName] = table
    for other in schema.tables.keys {
      schema.tables[other]?.retargetForeignKeys(from: name, to: newName)
    }
  }
}

extension Table {
  fileprivate mutating func retargetForeignKeys(from: SQLIdentifier, to: SQLIdentifier) {
    for index in constraints.indices {
      guard var foreignKey = constraints[index].foreignKey, foreignKey.references == from else {
        continue
      }
      foreignKey.references = to
      constraints[index].definition = .foreignKey(foreignKey)
    }
  }
}
