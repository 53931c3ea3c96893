internal import Diagnostics
internal import MigrationExecution
internal import MigrationPlanning
internal import PostgresClient
internal import SQLSyntax

/// A table to create whose name another relation has.
public struct TakenTable: Hashable, Sendable {
  /// The schema.
  public let schema: String
  /// The name.
  public let name: String
  /// The model of the store that created the object; `nil` if no store has.
  public let modelName: String?
  /// A Boolean value that indicates whether that store is at a version of this model, so that it may be
  /// this model's own, under another name.
  public var isAtKnownVersion = false

  /// The fact in words.
  var diagnostic: Diagnostic {
    guard let modelName else {
      return Diagnostic(
        "table \"\(name)\" cannot be created: schema \"\(schema)\" has something of that name",
        detail: "Remodel did not create it, and leaves it alone.",
        hint: "Rename or drop it, or give the entity another table."
      )
    }
    return Diagnostic(
      "table \"\(name)\" cannot be created: the store of model \"\(modelName)\" has one in schema "
        + "\"\(schema)\"",
      hint: "Give the entity another table, or one of the models a schema of its own with --schema."
        + (isAtKnownVersion
          ? " " + FormerName(modelName: modelName, versionName: "").hint : "")
    )
  }
}

extension DatabaseView {
  /// Returns the error that other relations have the names of new tables; `nil` if the names are
  /// free.
  func takenNames(
    of steps: [MigrationStep],
    in store: StoreIdentity,
    _ connection: borrowing PostgresConnection
  ) throws -> RemodelError? {
    // Unfinished work has created some of them, and SQL that runs before may make room.
    guard job == nil, creation == nil, !steps.contains(where: \.runsWrittenSQL) else { return nil }
    let names = steps.reduce(into: Set()) { $0.formUnion($1.newTableNames) }
    let taken = try SchemaInspection(store).takenNames(
      among: names,
      hasMetadata: presence != .noMetadata,
      connection
    )
    guard !taken.isEmpty else { return nil }
    let formerNames = Set(try catalog.formerNames(connection).map(\.modelName))
    return RemodelError(
      .takenTables(
        taken.map { table in
          TakenTable(
            schema: store.schema.name,
            name: table.name.name,
            modelName: table.modelName,
            isAtKnownVersion: table.modelName.map(formerNames.contains) ?? false
          )
        }
      )
    )
  }

  /// Returns that a constraint needs an extension which is not there; none if there is no need.
  private func missingExtension(
    for steps: [MigrationStep],
    _ connection: borrowing PostgresConnection
  ) throws -> RemodelError? {
    // SQL that runs before may make it.
    guard !steps.contains(where: \.runsWrittenSQL),
      let (table, constraint) = steps.lazy.compactMap(
        \.destination.projection.schema.needOfBtreeGist
      ).first,
      try connection.query("SELECT FROM pg_extension WHERE extname = 'btree_gist'").isEmpty
    else { return nil }
    return RemodelError(
      .missingExtension("btree_gist", constraint: constraint.name, table: table.name)
    )
  }

  /// Returns why steps cannot be taken in this database although they can be planned; none if they can.
  func obstacle(
    to steps: [MigrationStep],
    _ catalog: VersionCatalog,
    _ connection: borrowing PostgresConnection
  ) throws -> RemodelError? {
    try takenNames(of: steps, in: catalog.store, connection)
      ?? missingExtension(for: steps, connection)
      ?? WrittenNames(of: steps, catalog).refusal(connection)
  }
}
