internal import SQLSyntax

/// ```sql
/// UPDATE "s"."t" SET "c" = 0 WHERE "c" IS NULL
/// ```
struct UpdateRows: SchemaOperation {
  /// A column with the expression that it gets.
  struct Assignment: Hashable {
    var column: SQLIdentifier
    var value: SQLFragment
  }

  /// The purpose of the update.
  enum Purpose: Hashable {
    /// Nulls are replaced by a constant.
    case fillNulls
    /// Values come from other columns of the same row.
    case moveValues
    /// Values stay for the version before in columns of their own.
    case keepValues
    /// All rows get the name of the former only entity.
    case nameEntities
    /// Entities have other names.
    case renameEntities
  }

  var table: SQLIdentifier
  var purpose: Purpose
  var assignments: [Assignment]
  /// Which rows are changed; all of them if there is no condition.
  var condition: SQLFragment?

  var summary: String {
    let columns = assignments.map { "\"\($0.column)\"" }.joined(separator: ", ")
    return switch purpose {
    case .fillNulls, .nameEntities: "fill column \(columns) of table \"\(table)\""
    case .moveValues: "move values to column \(columns) of table \"\(table)\""
    case .keepValues: "keep values of the version before in column \(columns) of table \"\(table)\""
    case .renameEntities: "rename entities in table \"\(table)\""
    }
  }

  var dependencies: OperationDependencies {
    var dependencies = OperationDependencies()
    dependencies.requires = [.table(table), .quiet(table)]
    let discriminator = StorageNames.discriminator
    for column in assignments.map(\.column) + [discriminator] {
      dependencies.requires.formUnion([.columnName(table, column), .freedom(table, column)])
    }
    for column in assignments.map(\.column) {
      dependencies.requires.insert(.columnType(table, column))
      switch purpose {
      case .fillNulls:
        dependencies.requires.insert(.movedValues(table, column))
        dependencies.provides.insert(.values(table, column))
      case .moveValues:
        dependencies.provides.formUnion([.values(table, column), .movedValues(table, column)])
      case .keepValues, .nameEntities, .renameEntities:
        dependencies.provides.insert(.values(table, column))
      }
    }
    switch purpose {
    case .fillNulls:
      dependencies.requires.insert(.rows(table))
    case .moveValues:
      dependencies.requires.formUnion([.rows(table), .values(table, discriminator)])
      dependencies.provides.insert(.ownReads(table))
    case .keepValues:
      dependencies.provides.formUnion([.reads(table), .ownReads(table)])
    case .nameEntities:
      // Whoever reads rows by their entities does so afterwards.
      dependencies.provides.formUnion([.cut(table), .reads(table)])
    case .renameEntities:
      dependencies.requires.formUnion([.reads(table), .departed(table)])
      dependencies.provides.insert(.rows(table))
    }
    return dependencies
  }

  var rank: OperationRank { .values }
  var traits: OperationTraits { [.staysInTable] }
  var rowChange: RowChange { .values }

  var impact: OperationImpact {
    OperationImpact(locks: [table: .rowExclusive], scans: [table])
  }

  func rowWork(in schema: DatabaseSchema) -> [[RowWork]] {
    impact.changing(table, in: schema.name)
  }

  var subjects: [OperationSubject] { assignments.map { OperationSubject(column: $0.column) } }

  var outcome: OperationOutcome {
    OperationOutcome(writtenColumns: purpose == .moveValues ? assignments.map(\.column) : [])
  }

  func relevance(to finding: ReleaseComparison.Finding) -> Int? {
    guard purpose == .renameEntities, finding.cause == .rows(table) else { return nil }
    return finding.isOfEntityNames ? 0 : 1
  }

  func sql(in schema: SQLIdentifier) -> OperationSQL {
    let owner = QualifiedName(schema: schema, name: table)
    let changes = assignments.map { "\($0.column) = \($0.value)" as SQLFragment }
    let filter: SQLFragment = condition.map { " WHERE \($0)" } ?? ""
    return .statements(["UPDATE \(owner) SET \(changes.joined(separator: ", "))\(filter)"])
  }

  func apply(to schema: inout DatabaseSchema) {
    // Values are no part of the schema.
  }
}
