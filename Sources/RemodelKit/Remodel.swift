internal import Diagnostics
public import MigrationExecution
public import MigrationPlanning
public import ModelLoading
public import ModelMapping
internal import ObjectModel
public import PostgresClient
public import SQLSyntax

/// The front door: everything that the command line does, as calls.
///
/// ```swift
/// let remodel = Remodel(models: "migrations/Shop.remodel")
/// let report = try await remodel.migrate(.url("postgresql://localhost/shop"))
/// ```
///
/// A call ends with the task that it is made in: what runs is cancelled in order, and it throws a
/// `CancellationError`. The database is then as it was, or at a point that another call continues
/// from. Calls for several databases may run at the same time.
///
/// Versions are named as on the command line: by the name of the file without its extension, by the
/// beginning of the checksum, or by the path of a model file.
public struct Remodel: Sendable {
  /// What it goes by.
  public let configuration: RemodelConfiguration

  let interruption: Interruption
  let onEvent: (@Sendable (MigrationEvent) -> Void)?
  /// What the work on one store of many begins with.
  var claim: StoreClaim?

  /// Creates a front door.
  ///
  /// - Parameters:
  ///   - configuration: What to go by.
  ///   - interruption: Ends a migration from another thread.
  ///   - onEvent: Is told what happens while a migration runs, on the threads that run it.
  public init(
    _ configuration: RemodelConfiguration,
    interruption: Interruption = Interruption(),
    onEvent: (@Sendable (MigrationEvent) -> Void)? = nil
  ) {
    self.configuration = configuration
    self.interruption = interruption
    self.onEvent = onEvent
  }

  /// Creates a front door with what most programs have to say; all else is in a
  /// ``RemodelConfiguration``.
  ///
  /// - Parameters:
  ///   - path: A model bundle, or a folder that holds exactly one.
  ///   - schema: The schema of the tables.
  ///   - strategy: How rows are copied into tables that are made anew; chosen by the time that it takes
  ///     if none is given.
  ///   - wait: For how long to wait until the server accepts connections.
  ///   - policies: The policies in code, by the class names that mapping models have.
  public init(
    models path: String,
    schema: SQLIdentifier = "public",
    strategy: CopyStrategy? = nil,
    wait: Duration = .zero,
    policies: [String: any EntityMigrationPolicy] = [:]
  ) {
    self.init(
      RemodelConfiguration(
        modelsPath: path,
        schema: schema,
        wait: wait,
        strategy: strategy,
        policies: policies
      )
    )
  }

  /// Creates a front door to a bundle that is at hand: of models that no file holds, or of several
  /// bundles.
  ///
  /// - Parameters:
  ///   - bundle: The models, and their mapping models.
  ///   - schema: The schema of the tables.
  ///   - strategy: How rows are copied into tables that are made anew; chosen by the time that it takes
  ///     if none is given.
  ///   - wait: For how long to wait until the server accepts connections.
  ///   - policies: The policies in code, by the class names that mapping models have.
  public init(
    models bundle: ModelBundle,
    schema: SQLIdentifier = "public",
    strategy: CopyStrategy? = nil,
    wait: Duration = .zero,
    policies: [String: any EntityMigrationPolicy] = [:]
  ) {
    var configuration = RemodelConfiguration(
      modelsPath: bundle.path,
      schema: schema,
      wait: wait,
      strategy: strategy,
      policies: policies
    )
    configuration.models = bundle
    self.init(configuration)
  }

  // MARK: - Databases

  /// Brings a database to the current version, or to another one.
  ///
  /// - Parameters:
  ///   - database: The database.
  ///   - version: The version; the current one if none is named.
  ///   - plan: The plan that may run, and no other, if somebody has to approve what runs.
  /// - Returns: What was done.
  /// - Throws: Why the target was not reached; the database is as it was, or at the end of a step.
  public func migrate(
    _ database: ConnectionSource,
    to version: String? = nil,
    approved plan: ApprovedPlan? = nil
  ) async throws -> MigrationReport {
    if let record = plan?.record { return try await migrate(database, approved: plan, record) }
    let catalog = try VersionCatalog(configuration)
    return try await migrate(database, catalog, to: version, approved: plan)
  }

  /// Brings a store to a version, by files that may be read already.
  func migrate(
    _ database: ConnectionSource,
    _ catalog: VersionCatalog,
    to version: String?,
    approved plan: ApprovedPlan?
  ) async throws -> MigrationReport {
    let found = try catalog.fileVersion(version)
    return try await withCall(to: database, catalog.store, isWriting: true) { remodel, connection in
      let target = try found ?? catalog.version(version, connection)
      var run = try MigrationRun(remodel, catalog, target, database, isExplicit: version != nil)
      run.approved = plan
      return try run.run(connection)
    }
  }

  /// Carries out what was written down, by the settings that it was made by.
  private func migrate(
    _ database: ConnectionSource,
    approved plan: ApprovedPlan?,
    _ record: ApprovedPlan.Record
  ) async throws -> MigrationReport {
    var settings = record.settings.applied(to: configuration)
    settings.tableSizes = record.sizes
    let catalog = try VersionCatalog(settings)
    let found = try catalog.fileVersion(record.target)
    var differences = [record.settings.otherStore(catalog)].compactMap(\.self)
    if let found, found.hashes.checksum.text != record.targetChecksum {
      differences.append(.editedVersion(found.name))
    }
    guard differences.isEmpty else {
      throw RemodelError(.planDiffers(differences, isDigestOnly: false))
    }
    return try await withCall(to: database, catalog.store, isWriting: true) { remodel, connection in
      let target = try found ?? catalog.version(record.target, connection)
      let place = try PlanOrigin(connection)
      if let difference = record.origin.flatMap(place.difference) {
        throw RemodelError(.planDiffers([difference], isDigestOnly: false))
      }
      let isExplicit = record.settings.version != nil
      var run = try MigrationRun(remodel, catalog, target, database, isExplicit: isExplicit)
      run.approved = plan
      if let warning = record.origin.flatMap(place.warning) { run.warn(ofBeginning: warning) }
      return try run.run(connection)
    }
  }
}
