internal import SQLSyntax

/// Gets something that is retained out of the way of a name that is needed again.
///
/// ```sql
/// ALTER TABLE "s"."t" RENAME COLUMN "c" TO "remodel_retained_1_c"
/// ```
struct RenameRetained: SchemaOperation {
  /// What is renamed.
  enum Kind: Hashable, Sendable {
    case table
    /// An index or a sequence, which ALTER TABLE renames as well.
    case part
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
    case .table: "table"
    case .part: "relation"
    case .column: "column"
    }
  }

  var dependencies: OperationDependencies {
    switch kind {
    case .table, .part:
      OperationDependencies(claims: [.relation(newName)], releases: [.relation(name)])
    case .column(let table):
      OperationDependencies(
        requires: [.table(table)],
        provides: [.columnName(table, newName)],
        claims: [.column(table, newName)],
        releases: [.column(table, name)]
      )
    }
  }

  var impact: OperationImpact {
    switch kind {
    case .table: .accessExclusive(name)
    case .part: OperationImpact()
    case .column(let table): .accessExclusive(table)
    }
  }

  func sql(in schema: SQLIdentifier) -> OperationSQL {
    let qualified = QualifiedName(schema: schema, name: name)
    switch kind {
    case .table, .part: return .statements(["ALTER TABLE \(qualified) RENAME TO \(newName)"])
    case .column(let table):
      let owner = QualifiedName(schema: schema, name: table)
      return .statements(["ALTER TABLE \(owner) RENAME COLUMN \(name) TO \(newName)"])
    }
  }

  func apply(to schema: inout DatabaseSchema) {
    // What is retained is no part of the schema.
  }
}
