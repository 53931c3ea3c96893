internal import Diagnostics
internal import MigrationExecution
internal import ModelLoading
internal import PostgresClient
internal import SQLSyntax

/// Finds the stores that targets mean, each once, however often and in whatever spelling they are named.
struct TargetSearch {
  let remodel: Remodel
  let targets: MigrationTargets
  let pool: TargetPool

  /// What targets mean, in their order.
  struct Finding: Sendable {
    /// A store, or a database in which none could be found.
    enum Place: Sendable {
      /// A store, and how many others of its server may be worked on at the same time, itself included.
      case store(MigrationTarget, sharers: Int)
      case lost(TargetResult<Stores>)
    }

    var places: [Place] = []
    /// What is named more than once.
    var warnings: [Diagnostic] = []

    var lost: [TargetResult<Stores>] {
      places.compactMap { if case .lost(let search) = $0 { search } else { nil } }
    }
  }

  /// The stores of one database.
  struct Stores: Sendable {
    let schemas: [SQLIdentifier]
    let database: DatabaseIdentity
  }

  private struct Store: Hashable {
    let database: DatabaseIdentity
    let schema: SQLIdentifier
  }

  /// Asks the databases.
  ///
  /// - Returns: The stores.
  /// - Throws: That there are none.
  func run() async throws -> Finding {
    guard !targets.databases.isEmpty else { throw TargetError(.noTargets) }
    // One store is what it is.
    if targets.databases.count == 1, targets.databases[0].schema != nil || !isByPattern {
      return Finding(places: [.store(placed(targets.databases[0]), sharers: 1)])
    }
    let searches = await pool.results(targets.databases) { target in try await stores(of: target) }
    // Of one database, that is all there is to tell.
    if searches.count == 1, let error = searches[0].error { throw error }
    return finding(searches)
  }

  private var isByPattern: Bool { !targets.schemaPatterns.isEmpty }

  private func stores(of target: MigrationTarget) async throws -> Stores {
    let configuration = remodel.configuration
    let remodel = Remodel(configuration, interruption: remodel.interruption)
    let patterns = target.schema == nil ? targets.schemaPatterns : []
    let schema = target.schema ?? configuration.schema
    return try await remodel.withSession(target.database, .unnamed(configuration)) { connection in
      let database = try DatabaseIdentity(connection)
      guard !patterns.isEmpty else { return Stores(schemas: [schema], database: database) }
      let schemas = try SchemaList.names(
        matching: patterns,
        besides: configuration.metadataSchema,
        connection
      )
      return Stores(schemas: schemas, database: database)
    }
  }

  private func finding(_ searches: [TargetResult<Stores>]) -> Finding {
    var finding = Finding()
    var known: Set<Store> = []
    /// The server of each store.
    var servers: [String] = []
    for search in searches {
      guard let found = search.report else {
        finding.places.append(.lost(search))
        continue
      }
      var repeated: [SQLIdentifier] = []
      for schema in found.schemas {
        guard known.insert(Store(database: found.database, schema: schema)).inserted else {
          repeated.append(schema)
          continue
        }
        finding.places.append(.store(named(search.target, schema), sharers: 1))
        servers.append(found.database.server)
      }
      if !repeated.isEmpty { finding.warnings.append(warning(search.target, repeated)) }
    }
    let counts = Dictionary(servers.map { ($0, 1) }, uniquingKeysWith: +)
    var next = servers.makeIterator()
    finding.places = finding.places.map { place in
      guard case .store(let target, _) = place, let server = next.next() else {
        return place
      }
      return .store(target, sharers: min(max(1, targets.parallel), counts[server] ?? 1))
    }
    return finding
  }

  /// Returns a store of a database, named by its schema where that is one of several.
  private func named(_ target: MigrationTarget, _ schema: SQLIdentifier) -> MigrationTarget {
    guard isByPattern, target.schema == nil else { return placed(target) }
    return MigrationTarget(
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

  private func warning(_ target: MigrationTarget, _ schemas: [SQLIdentifier]) -> Diagnostic {
    let shown = schemas.prefix(3).map { "\"\($0)\"" }.joined(separator: ", ")
    let rest = schemas.count > 3 ? " and \(schemas.count - 3) more" : ""
    return Diagnostic(
      .warning,
      "target \"\(target.name)\" means what an earlier target means, too",
      detail: "Worked on once: schema \(shown)\(rest)."
    )
  }
}

/// What tells a database from all others, by whatever name and way it is reached.
struct DatabaseIdentity: Hashable, Sendable {
  /// The number that the cluster has had since it was made; when the server started, where the role may
  /// not see it.
  let server: String
  /// A standby has the number of the server that it follows, and is none to take in its place.
  private let isStandby: Bool
  private let oid: String

  /// Asks the server.
  init(_ connection: borrowing PostgresConnection) throws {
    let row = try connection.query(
      """
      SELECT pg_postmaster_start_time()::text AS start, pg_is_in_recovery() AS is_standby, oid::text \
      FROM pg_database WHERE datname = current_database()
      """
    ).first
    server = connection.systemIdentifier ?? row?["start"] ?? ""
    isStandby = row?.boolean("is_standby") ?? false
    oid = row?["oid"] ?? ""
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
