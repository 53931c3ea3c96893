internal import SQLSyntax

/// ```sql
/// DROP TABLE "s"."t"
/// ```
struct DropTable: SchemaOperation {
  var contents: Table

  var table: SQLIdentifier { contents.name }
  var summary: String { "drop table \"\(table)\"" }

  var dependencies: OperationDependencies {
    var dependencies = OperationDependencies()
    dependencies.requires = [.table(table), .unreferenced(table), .reads(table)]
    // Where its own name is needed, it has another one by now.
    dependencies.releases = Set(
      contents.relationNames.filter { $0 != table }.map { .relation($0) }
    )
    return dependencies
  }

  var impact: OperationImpact {
    var impact = OperationImpact.accessExclusive(table, .deletesData)
    for referenced in contents.constraints.compactMap(\.referencedTable) {
      impact.locks[referenced] = .accessExclusive
    }
    return impact
  }

  func sql(in schema: SQLIdentifier) -> OperationSQL {
    .statements(["DROP TABLE \(QualifiedName(schema: schema, name: table))"])
  }

  func apply(to schema: inout DatabaseSchema) {
    schema.tables[table] = nil
  }
}
