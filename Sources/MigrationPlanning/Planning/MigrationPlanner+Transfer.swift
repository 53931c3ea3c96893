internal import ModelMapping
package import SQLSyntax

/// The creation of a store with the rows of another database, as Core Data's migration manager
/// reads one store and writes another.
extension MigrationPlanner {
  /// Plans the creation of a version in an empty schema, whose tables get their rows before their
  /// indexes and constraints.
  ///
  /// - Parameters:
  ///   - destination: The version.
  ///   - origin: The identifier of the store of the rows; only a transfer from the same store
  ///     continues another one.
  ///   - record: The table of the filled tables, which exists until all of them are.
  ///   - createsSchema: Whether to create the schema as well.
  /// - Returns: The step, whose rows arrive between two of its transactions.
  /// - Throws: Everything that the planner cannot do.
  package func step(
    transferring destination: PlannedVersion,
    from origin: String,
    recordedIn record: QualifiedName,
    createsSchema: Bool
  ) throws(PlanningError) -> MigrationStep {
    let creation = try step(creating: destination, createsSchema: createsSchema)
    var operations: [MigrationOperation] = []
    for operation in creation.operations {
      guard case .createTable(var table) = operation else {
        operations.append(operation)
        continue
      }
      let late = table.contents.constraints.filter { $0.hasIndex || $0.foreignKey != nil }
      table.contents.constraints.removeAll(where: late.contains)
      operations.append(.createTable(table))
      operations += late.map {
        .addConstraint(AddConstraint(table: table.contents.name, constraint: $0))
      }
    }
    let ordered = try order(operations)
    let tables = ordered.filter(\.createsTable)
    let others = ordered.filter { !$0.createsTable }
    // A foreign key needs the key that it refers to.
    let all = tables + others.filter { !$0.addsReference } + others.filter(\.addsReference)
    let opening =
      creation.statements.filter { $0.madeSchema != nil } + [recordCreation(record, origin)]
    let closing = PlannedStatement(
      sql: "DROP TABLE \(record)",
      reason: "forget which tables have been filled"
    )
    var step = MigrationStep(
      source: nil,
      destination: destination,
      passedVersions: [],
      mappingModel: nil,
      preconditions: [],
      lockedTables: [],
      statements: opening + statements(for: all, in: destination) + [closing],
      retained: [],
      renamedRetained: [:],
      droppedRetained: [],
      warnings: [],
      operations: all
    )
    step.transferPoint = opening.count + statements(for: tables, in: destination).count
    return step
  }

  private func recordCreation(_ record: QualifiedName, _ origin: String) -> PlannedStatement {
    PlannedStatement(
      sql: """
        CREATE TABLE \(record) (
          store uuid NOT NULL DEFAULT \(text: origin) CHECK (store = \(text: origin)),
          table_name text PRIMARY KEY,
          server text,
          table_oid text NOT NULL,
          oldest_transaction bigint NOT NULL,
          row_count bigint NOT NULL,
          copied_at timestamp with time zone NOT NULL DEFAULT now()
        )
        """,
      reason: "record which tables have been filled from the source"
    )
  }
}

extension MigrationOperation {
  fileprivate var createsTable: Bool {
    if case .createTable = self { true } else { false }
  }

  fileprivate var addsReference: Bool {
    guard case .addConstraint(let addition) = self else { return false }
    return addition.constraint.foreignKey != nil
  }
}

/// A table that is filled from another database.
package struct TransferredTable: Hashable, Sendable {
  /// A sequence that continues after that of the source.
  package struct Sequence: Hashable, Sendable {
    /// The column with its values.
    package let column: SQLIdentifier
    /// The name.
    package let name: SQLIdentifier
  }

  /// The name.
  package let name: SQLIdentifier
  /// The columns but for those that the server computes.
  package let columns: [SQLIdentifier]
  /// The sequences of the columns.
  package let sequences: [Sequence]

  init(_ table: Table) {
    name = table.name
    columns = table.columns.filter { $0.generation == nil }.map(\.name)
    sequences = table.columns.compactMap { column in
      column.sequence.map { Sequence(column: column.name, name: $0.name) }
    }
  }
}

extension MigrationStep {
  /// The tables that get their rows from another database; empty of any other step.
  package var transferredTables: [TransferredTable] {
    guard transferPoint != nil else { return [] }
    return destination.projection.schema.sortedTables.map { TransferredTable($0) }
  }
}
