internal import SQLSyntax

/// The operations of tables that are made anew: what happens in the staging schema, and what comes
/// when the tables have their places.
struct StagedTables {
  /// The bare tables.
  private(set) var creations: [CreateTable] = []
  /// Constraints and indexes that filled tables get before they come to their places.
  private(set) var completions: [MigrationOperation] = []
  /// All that is done to the tables of the store.
  private(set) var operations: [MigrationOperation] = []

  /// Divides operations.
  ///
  /// - Parameters:
  ///   - all: The operations, in no order yet.
  ///   - copied: The tables that are made anew.
  ///   - stagingSchema: Where they are made.
  ///   - unreferenced: The tables that nothing may refer to before they have their places.
  ///   - formerSequence: What gave keys to rows of a table until now.
  init(
    of all: [MigrationOperation],
    copying copied: Set<SQLIdentifier>,
    in stagingSchema: SQLIdentifier,
    unreferenced: Set<SQLIdentifier> = [],
    formerSequence: (SQLIdentifier) -> SQLIdentifier?
  ) {
    var finished: [SQLIdentifier: Table] = [:]
    for operation in all {
      switch operation {
      case .createTable(let creation) where copied.contains(creation.table):
        creations.append(creation)
        finished[creation.table] = creation.contents
      default: continue  // Only creations make tables.
      }
    }
    for operation in all where copied.contains(operation.base.table) {
      switch operation {
      case .addConstraint(let addition)
      where Self.isStaged(addition.constraint, copied.subtracting(unreferenced)):
        completions.append(operation)
        finished[addition.table]?.constraints.append(addition.constraint)
      case .createIndex(let creation):
        completions.append(operation)
        finished[creation.table]?.indexes.append(creation.index)
      default: continue  // Everything else waits for the tables to be in their places.
      }
    }
    let staged = Set(completions)
    for operation in all where !staged.contains(operation) {
      guard case .createTable(let creation) = operation, let contents = finished[creation.table]
      else {
        operations.append(operation)
        continue
      }
      operations.append(
        .installTable(
          InstallTable(
            contents: contents,
            stagingSchema: stagingSchema,
            formerSequence: formerSequence(creation.table).flatMap { Self.lastName(of: $0, all) }
          )
        )
      )
    }
  }

  /// Has the foreign keys validated later for which that can be done.
  ///
  /// - Parameter reference: Returns what is known of a foreign key that can be validated later.
  /// - Returns: What is known of those.
  mutating func postponeValidation(
    _ reference: (AddConstraint) -> LateReference?
  ) -> [LateReference] {
    var references: [LateReference] = []
    for index in operations.indices {
      guard case .addConstraint(var addition) = operations[index], let late = reference(addition)
      else { continue }
      addition.isValidatedLater = true
      operations[index] = .addConstraint(addition)
      references.append(late)
    }
    return references
  }

  /// Returns what a sequence is called by then; none if it goes.
  private static func lastName(
    of sequence: SQLIdentifier,
    _ operations: [MigrationOperation]
  ) -> SQLIdentifier? {
    var name = sequence
    for operation in operations {
      switch operation {
      case .renameSequence(let rename) where rename.name == name && !rename.isFromTemporary:
        name = rename.newName
      case .renameRetained(let rename) where rename.name == name: name = rename.newName
      case .dropTable(let drop)
      where drop.contents.columns.contains { $0.identitySequence == sequence }:
        return nil
      default: continue  // Nothing else touches sequences.
      }
    }
    return name
  }

  private static func isStaged(_ constraint: Constraint, _ copied: Set<SQLIdentifier>) -> Bool {
    constraint.referencedTable.map(copied.contains) ?? true
  }
}
