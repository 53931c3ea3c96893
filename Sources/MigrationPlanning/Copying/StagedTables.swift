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
    var finished = DatabaseSchema(name: stagingSchema)
    for operation in all {
      guard case .createTable(let creation) = operation, copied.contains(creation.table) else {
        continue
      }
      creations.append(creation)
      creation.apply(to: &finished)
    }
    for operation in all where copied.contains(operation.base.table) {
      guard operation.base.completesTable(among: copied.subtracting(unreferenced)) else { continue }
      completions.append(operation)
      operation.base.apply(to: &finished)
    }
    let staged = Set(completions)
    for operation in all where !staged.contains(operation) {
      guard case .createTable(let creation) = operation,
        let contents = finished.tables[creation.table]
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
      if let rename = operation.rename, rename.name == name { name = rename.newName }
      if case .dropTable(let drop) = operation,
        drop.contents.columns.contains(where: { $0.identitySequence == sequence })
      {
        return nil
      }
    }
    return name
  }
}
