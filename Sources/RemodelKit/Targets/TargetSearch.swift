internal import MigrationExecution
internal import ModelLoading
internal import PostgresClient
internal import SQLSyntax

/// Finds the stores of targets; only patterns need to read a database.
struct TargetSearch: Sendable {
  let call: RemodelCall
  let targets: MigrationTargets

  /// Returns the first places: the stores of targets as far as they are known without a database.
  ///
  /// - Throws: An error if there are none, or the error of the only database.
  func places() async throws -> [TargetPool.Place] {
    guard !targets.databases.isEmpty else { throw TargetError(.noTargets) }
    // Of one database, that is all there is to tell.
    if targets.databases.count == 1, isSearched(targets.databases[0]) {
      return try await stores(of: targets.databases[0]).enumerated().map { position, store in
        .store(store, TargetNumber(target: 0, position: position))
      }
    }
    return targets.databases.enumerated().map { number, target in
      isSearched(target)
        ? .search(target, number) : .store(placed(target), TargetNumber(target: number))
    }
  }

  /// Divides places into the first ones with so many stores in all and the rest, and looks for the stores of
  /// databases as far as that takes.
  ///
  /// A database whose stores cannot be found counts as one.
  func first(
    _ count: Int,
    of places: [TargetPool.Place]
  ) async throws -> (chosen: [TargetPool.Place], rest: [TargetPool.Place]) {
    var known: [TargetPool.Place] = []
    for place in places {
      guard case .search(let target, let number) = place, known.count < count else {
        known.append(place)
        continue
      }
      do {
        known += try await stores(of: target).enumerated().map { position, store in
          .store(store, TargetNumber(target: number, position: position))
        }
      } catch  where call.interruption.signal == nil && !Task.isCancelled {
        // The work on it tells why.
        known.append(place)
      }
    }
    return (Array(known.prefix(count)), Array(known.dropFirst(count)))
  }

  /// Looks for the stores of a database.
  func stores(of target: MigrationTarget) async throws -> [MigrationTarget] {
    try await call.with { $0.onEvent = nil }
      .schemas(of: target.database, matching: targets.schemaPatterns)
      .map { named(target, $0) }
  }

  private func isSearched(_ target: MigrationTarget) -> Bool {
    target.schema == nil && !targets.schemaPatterns.isEmpty
  }

  /// Returns a store of a database, named by its schema.
  private func named(_ target: MigrationTarget, _ schema: SQLIdentifier) -> MigrationTarget {
    MigrationTarget(
      target.database,
      schema: schema,
      name: target.name.isEmpty ? schema.name : "\(target.name)/\(schema.name)"
    )
  }

  /// Returns a target with the schema that it is in.
  private func placed(_ target: MigrationTarget) -> MigrationTarget {
    var target = target
    target.schema = target.schema ?? call.configuration.schema
    return target
  }
}

extension RemodelCall {
  /// Returns the schemas of a database whose names patterns mean, as people count.
  func schemas(
    of database: ConnectionSource,
    matching patterns: [SchemaPattern]
  ) async throws -> [SQLIdentifier] {
    let metadataSchema = configuration.metadataSchema
    return try await withLook(at: database, .unnamed(configuration)) { _, connection in
      try SchemaList.names(matching: patterns, besides: metadataSchema, connection)
    }
  }
}

extension StoreIdentity {
  /// The identity in errors for a store that is not yet known.
  static func unnamed(_ configuration: RemodelConfiguration) -> StoreIdentity {
    StoreIdentity(
      schema: configuration.schema,
      modelName: "",
      metadataSchema: configuration.metadataSchema,
      trustedOwners: configuration.trustedOwners
    )
  }
}

extension SchemaList {
  /// Returns the schemas whose names patterns mean, as people count.
  ///
  /// - Parameters:
  ///   - patterns: The patterns.
  ///   - metadataSchema: The schema of the metadata, which is never meant.
  ///   - connection: The database.
  /// - Returns: The names.
  /// - Throws: That there is none, or none of a name that is no pattern.
  static func names(
    matching patterns: [SchemaPattern],
    besides metadataSchema: SQLIdentifier,
    _ connection: borrowing PostgresConnection
  ) throws -> [SQLIdentifier] {
    let all = try names(besides: metadataSchema, connection)
    let found = all.filter { schema in patterns.contains { $0.matches(schema.name) } }
    let missing = patterns.filter { pattern in
      pattern.isName && !found.contains { pattern.matches($0.name) }
    }
    guard !found.isEmpty, missing.isEmpty else {
      throw TargetError(.noSchemas((missing.isEmpty ? patterns : missing).map(\.text)))
    }
    return found.sorted { naturallyPrecedes($0.name, $1.name) }
  }
}
