package import CatalogComparison
package import MigrationPlanning
package import PostgresClient
package import SQLSyntax

/// Creates a version in a schema of its own to read the server's definitions, and rolls it back.
package struct VersionTrial {
  /// The result of a trial.
  package enum Outcome: Sendable {
    /// The objects of the version in the schema of the store, as the server defines them.
    case made([CatalogObject: ObjectDefinition])
    /// The server does not take a statement, which is about these tables.
    case refused(tables: [String], PostgresError)
  }

  private let step: MigrationStep
  private let store: StoreIdentity

  /// Creates a trial.
  ///
  /// - Parameters:
  ///   - step: The step that creates the version, in a schema that is not there.
  ///   - store: The store that the version is to be of.
  package init(_ step: MigrationStep, of store: StoreIdentity) {
    self.step = step
    self.store = store
  }

  /// Returns a random name for the schema of a trial.
  package static func schemaName() -> SQLIdentifier {
    SQLIdentifier("remodel_trial_\(String(UInt64.random(in: .min ... .max), radix: 36))")
  }

  /// Creates the version, reads its definitions, and rolls back.
  ///
  /// - Parameter connection: A connection outside of a transaction.
  /// - Returns: The server's definitions.
  /// - Throws: The server's error, except for those of the statements themselves.
  package func outcome(_ connection: borrowing PostgresConnection) throws -> Outcome {
    try TransactionRunner().transact(Transaction(isRolledBack: true), connection) {
      try make($0)
    }
  }

  private func make(_ connection: borrowing PostgresConnection) throws -> Outcome {
    for statement in step.statements {
      do {
        try connection.query(statement.sql)
      } catch {
        guard error.kind == .server, error.sqlState?.isOfStatement == true,
          !statement.tables.isEmpty
        else { throw error }
        return .refused(tables: statement.tables, error)
      }
    }
    let schema = step.destination.projection.schema.name
    let trial = StoreIdentity(
      schema: schema,
      modelName: store.modelName,
      metadataSchema: store.metadataSchema
    )
    let live = try DefinitionInspection(trial, step.destination.projection)
      .live(retained: [], connection)
    let unquoted = try connection.query(
      "SELECT quote_ident(\(text: store.schema.name)) AS name"
    ).value
    let names = SchemaNames(trial: schema, own: store.schema, worded: unquoted ?? "")
    return .made(live.objects.mapValues { names.restored(in: $0) })
  }
}

/// The name of the schema of a trial, and of the one that is meant, as the server words them.
private struct SchemaNames {
  let trial: SQLIdentifier
  let own: SQLIdentifier
  /// The name with quotes where it has to have them.
  let worded: String

  /// Returns a definition as it is in the schema that is meant.
  func restored(in definition: ObjectDefinition) -> ObjectDefinition {
    var restored = definition
    for (facet, text) in definition.facets {
      guard let text else { continue }
      switch facet {
      case .references, .function:
        restored.facets[facet] = text.replacingScalars(
          "\(trial.name).",
          with: "\(own.name)."
        )
      case .relationKind, .partitionKey, .distribution, .persistence, .rowSecurity,
        .replicaIdentity, .inherits,
        .accessMethod,
        .storage,
        .owner, .type, .collation, .nullability, .notNullConstraint, .defaultExpression,
        .identity, .generation, .constraintKind, .columns, .onDelete, .deferrability,
        .enforcement, .validity, .uniqueness, .extent, .column, .start, .increment, .minimum,
        .maximum, .cache, .cycle, .firing, .definition:
        restored.facets[facet] =
          text.replacingScalars(trial.quoted, with: own.quoted)
          .replacingScalars("\(trial.name).", with: "\(worded).")
      }
    }
    return restored
  }
}
