internal import SQLSyntax

/// Gets something that is retained out of the way of a name that is needed again.
///
/// ```sql
/// ALTER TABLE "s"."t" RENAME COLUMN "c" TO "remodel_retained_1_c"
/// ```
struct RenameRetained: SchemaOperation {
  /// What is renamed.
  enum Kind: Hashable, Sendable {
    /// A table, an index or a sequence: ALTER TABLE renames them all.
    case relation
    case column(of: SQLIdentifier)
  }

  var kind: Kind
  var name: SQLIdentifier
  var newName: SQLIdentifier

  var table: SQLIdentifier {
    if case .column(let table) = kind { table } else { name }
  }

  var summary: String { "rename retained \(kindName) \"\(name)\" to \"\(newName)\"" }

  private var kindName: String {
    switch kind {
    case .relation: "relation"
    case .column: "column"
    }
  }

  var dependencies: OperationDependencies {
    switch kind {
    case .relation:
      OperationDependencies(claims: [.relation(newName)], releases: [.relation(name)])
    case .column(let table):
      OperationDependencies(
        requires: [.table(table)],
        claims: [.column(table, newName)],
        releases: [.column(table, name)]
      )
    }
  }

  var impact: OperationImpact {
    switch kind {
    case .relation: .accessExclusive(name, .breaksPreviousRelease)
    case .column(let table): .accessExclusive(table, .breaksPreviousRelease)
    }
  }

  func sql(in schema: SQLIdentifier) -> OperationSQL {
    let qualified = QualifiedName(schema: schema, name: name)
    switch kind {
    case .relation: return .statements(["ALTER TABLE \(qualified) RENAME TO \(newName)"])
    case .column(let table):
      let owner = QualifiedName(schema: schema, name: table)
      return .statements(["ALTER TABLE \(owner) RENAME COLUMN \(name) TO \(newName)"])
    }
  }

  func apply(to schema: inout DatabaseSchema) {
    // What is retained is no part of the schema.
  }
}
