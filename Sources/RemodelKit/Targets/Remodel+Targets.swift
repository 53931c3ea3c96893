internal import Diagnostics
internal import MigrationExecution
internal import ModelLoading
public import PostgresClient
public import SQLSyntax

extension Remodel {
  /// Brings many stores to the current version, or to another one: each as if it were alone, whatever
  /// becomes of the others.
  ///
  /// The files are read once for all. A rerun has nothing to do where a store is done, and continues
  /// where one is not.
  ///
  /// - Parameters:
  ///   - targets: The stores.
  ///   - version: The version; the current one if none is named.
  ///   - plan: The plan that may run in each, and no other; it is one of a digest, since a plan that was
  ///     written down is of one database. A digest covers the name of the schema.
  ///   - onTargetEvent: Is told what happens to which store, on the threads that work on them.
  /// - Returns: What came of each store.
  /// - Throws: What is wrong with the files, or that there are no stores.
  public func migrate(
    _ targets: MigrationTargets,
    to version: String? = nil,
    approved plan: ApprovedPlan? = nil,
    onTargetEvent: (@Sendable (TargetEvent) -> Void)? = nil
  ) async throws -> TargetsReport<MigrationReport> {
    let catalog = try VersionCatalog(configuration)
    let warnings = try catalog.fileVersion(version)?.warnings ?? []
    return TargetsReport(
      results: try await results(of: targets, catalog, onTargetEvent) { remodel, catalog, target in
        try await remodel.migrate(target.database, catalog, to: version, approved: plan)
      },
      warnings: catalog.bundle.warnings + warnings
    )
  }

  /// Tells whether the version hashes of many stores are those of the current model.
  ///
  /// - Parameters:
  ///   - targets: The stores.
  ///   - untilCurrent: For how long in all to ask again until they are.
  ///   - onTargetEvent: Is told what happens to which store.
  /// - Returns: What was found last of each.
  /// - Throws: What is wrong with the files, or that there are no stores.
  public func check(
    _ targets: MigrationTargets,
    untilCurrent: Duration? = nil,
    onTargetEvent: (@Sendable (TargetEvent) -> Void)? = nil
  ) async throws -> TargetsReport<CheckReport> {
    let catalog = try VersionCatalog(configuration)
    let current = try catalog.version(nil)
    let clock = ContinuousClock()
    let deadline = clock.now + (untilCurrent ?? .zero)
    return TargetsReport(
      results: try await results(of: targets, catalog, onTargetEvent) { remodel, catalog, target in
        try await remodel.check(
          target.database,
          catalog,
          untilCurrent: max(.zero, clock.now.duration(to: deadline))
        )
      },
      warnings: catalog.bundle.warnings + current.warnings
    )
  }

  /// Tells what many stores are at and what is still to come.
  ///
  /// - Parameters:
  ///   - targets: The stores.
  ///   - onTargetEvent: Is told what happens to which store.
  /// - Returns: What was found of each.
  /// - Throws: What is wrong with the files, or that there are no stores.
  public func status(
    _ targets: MigrationTargets,
    onTargetEvent: (@Sendable (TargetEvent) -> Void)? = nil
  ) async throws -> TargetsReport<StatusReport> {
    let catalog = try VersionCatalog(configuration)
    let current = try catalog.version(nil)
    return TargetsReport(
      results: try await results(of: targets, catalog, onTargetEvent) { remodel, catalog, target in
        try await remodel.status(target.database, catalog)
      },
      warnings: catalog.bundle.warnings + current.warnings
    )
  }

  /// Returns the schemas of a database whose names patterns mean, as people count; never those of the
  /// server, of extensions and of remodel itself.
  ///
  /// - Parameters:
  ///   - database: The database.
  ///   - patterns: The patterns.
  /// - Returns: The names.
  /// - Throws: That there is none, or none of a name that is no pattern.
  public func schemas(
    of database: ConnectionSource,
    matching patterns: [SchemaPattern]
  ) async throws -> [SQLIdentifier] {
    let store = StoreIdentity(
      schema: configuration.schema,
      modelName: "",
      metadataSchema: configuration.metadataSchema
    )
    let all = try await withSession(database, store) { connection in
      try SchemaList.names(besides: configuration.metadataSchema, connection)
    }
    let found = all.filter { schema in patterns.contains { $0.matches(schema.name) } }
    let missing = patterns.filter { pattern in
      pattern.isName && !found.contains { pattern.matches($0.name) }
    }
    guard !found.isEmpty, missing.isEmpty else {
      throw TargetError(.noSchemas((missing.isEmpty ? patterns : missing).map(\.text)))
    }
    return found.sorted { naturallyPrecedes($0.name, $1.name) }
  }

  // MARK: - One after the other

  /// Works on each store, with the front door and the versions that are its own.
  private func results<Report: Sendable>(
    of targets: MigrationTargets,
    _ catalog: VersionCatalog,
    _ onTargetEvent: (@Sendable (TargetEvent) -> Void)?,
    _ body:
      @escaping @Sendable (Remodel, VersionCatalog, MigrationTarget) async throws -> Report
  ) async throws -> [TargetResult<Report>] {
    let pool = TargetPool(
      parallel: targets.parallel,
      interruption: interruption,
      onEvent: onTargetEvent
    )
    let (stores, lost) = try await stores(of: targets)
    onTargetEvent?(.found(stores.count + lost.count))
    for search in lost { onTargetEvent?(.ended(search.target, search.error)) }
    let results = await pool.results(stores) { target in
      var configuration = configuration
      configuration.schema = target.schema ?? configuration.schema
      let remodel = Remodel(configuration, interruption: interruption) { event in
        onTargetEvent?(.happened(event, target))
      }
      return try await body(remodel, catalog.of(configuration), target)
    }
    return lost.map { TargetResult(target: $0.target, outcome: .init($0), duration: $0.duration) }
      + results
  }

  /// Finds the stores, and tells in which databases they could not be found.
  private func stores(
    of targets: MigrationTargets
  ) async throws -> (stores: [MigrationTarget], lost: [TargetResult<[SQLIdentifier]>]) {
    guard !targets.databases.isEmpty else { throw TargetError(.noTargets) }
    let patterns = targets.schemaPatterns
    guard !patterns.isEmpty else { return (targets.databases.map(placed), []) }
    let pool = TargetPool(parallel: targets.parallel, interruption: interruption)
    let searches = await pool.results(targets.databases) { target in
      if let schema = target.schema { return [schema] }
      return try await Remodel(configuration, interruption: interruption)
        .schemas(of: target.database, matching: patterns)
    }
    // Of one database, that is all there is to tell.
    if searches.count == 1, let error = searches[0].error { throw error }
    var stores: [MigrationTarget] = []
    for search in searches {
      let database = search.target
      guard database.schema == nil else {
        stores.append(database)
        continue
      }
      stores += (search.report ?? []).map { schema in
        MigrationTarget(
          database.database,
          schema: schema,
          name: database.name.isEmpty ? schema.name : "\(database.name)/\(schema.name)"
        )
      }
    }
    return (stores, searches.filter { $0.report == nil })
  }

  /// Returns a target with the schema that it is in.
  private func placed(_ target: MigrationTarget) -> MigrationTarget {
    var target = target
    target.schema = target.schema ?? configuration.schema
    return target
  }
}

extension TargetResult.Outcome {
  /// Creates the outcome of a database in which no stores could be found.
  fileprivate init(_ search: TargetResult<[SQLIdentifier]>) {
    self =
      switch search.outcome {
      case .failed(let error): .failed(error)
      case .interrupted(let error): .interrupted(error)
      case .done, .notStarted: .notStarted
      }
  }
}
