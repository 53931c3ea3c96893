internal import MigrationExecution
internal import ModelLoading
internal import PostgresClient
internal import SQLSyntax

/// Finds the stores that targets mean; only where patterns say which is a database asked for them.
struct TargetSearch {
  let remodel: Remodel
  let targets: MigrationTargets
  let pool: TargetPool

  /// A store, or a database in which none could be found.
  enum Place: Sendable {
    /// A store, and the number of the target that means it.
    case store(MigrationTarget, of: Int)
    case lost(TargetResult<[SQLIdentifier]>)
  }

  /// Looks for the stores.
  ///
  /// - Returns: What targets mean, in their order.
  /// - Throws: That there are none.
  func run() async throws -> [Place] {
    guard !targets.databases.isEmpty else { throw TargetError(.noTargets) }
    let searched = targets.databases.filter(isSearched)
    var searches = await pool.results(searched) { _, target in try await schemas(of: target) }
    // Of one database, that is all there is to tell.
    if targets.databases.count == 1, let error = searches.first?.error { throw error }
    searches.reverse()
    return targets.databases.enumerated().flatMap { number, target -> [Place] in
      guard isSearched(target) else { return [.store(placed(target), of: number)] }
      guard let search = searches.popLast() else { return [] }
      guard let schemas = search.report else { return [.lost(search)] }
      return schemas.map { .store(named(target, $0), of: number) }
    }
  }

  private func isSearched(_ target: MigrationTarget) -> Bool {
    target.schema == nil && !targets.schemaPatterns.isEmpty
  }

  private func schemas(of target: MigrationTarget) async throws -> [SQLIdentifier] {
    let configuration = remodel.configuration
    let remodel = Remodel(configuration, interruption: remodel.interruption)
    return try await remodel.schemas(of: target.database, matching: targets.schemaPatterns)
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
    target.schema = target.schema ?? remodel.configuration.schema
    return target
  }
}

extension StoreIdentity {
  /// What errors are told of where no store is meant yet.
  static func unnamed(_ configuration: RemodelConfiguration) -> StoreIdentity {
    StoreIdentity(
      schema: configuration.schema,
      modelName: "",
      metadataSchema: configuration.metadataSchema
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
