internal import Diagnostics
internal import MigrationExecution
internal import MigrationPlanning
internal import ModelLoading
internal import ObjectModel
internal import PostgresClient
internal import SQLSyntax

/// The state of a database with respect to the models, and the steps from there.
struct DatabaseView {
  var catalog: VersionCatalog
  let metadata: MetadataStore
  let presence: MetadataStore.Presence
  let serverMajor: Int
  let retainedEntries: [RetainedEntry]
  /// The retained objects that exist unchanged.
  let intact: Set<RetainedObject>
  let lockBudget: LockBudget
  /// The copy job of the store that is not ended.
  let job: CopyJob?
  /// The deferred work of online migrations.
  let pending: [PendingWork]

  /// The versions that are served, with their views.
  let interfaces: [VersionInterface]

  /// The versions of the unfinished job, and how it copies.
  var continued: StepPlanning.ContinuedCopy?
  let sizes: TableSizes
  /// What the tables are, other than ordinary ones.
  let kinds: TableKinds
  /// What keeps tables from being filled in place.
  let fillObstacles: FillObstacles
  /// The version of the metadata's layout; none if there is no metadata.
  let metadataLayout: Int?
  let hasSchema: Bool
  /// Whether another database fills the store.
  let isBeingFilled: Bool
  let recordedModel: ManagedObjectModel?
  /// The versions that the database has been at, the earliest first.
  let visited: [ArchivedModel]
  /// What the metadata knows of the database besides.
  let marks: StoreMarks

  /// The retained objects.
  var retained: [RetainedObject] { retainedEntries.map(\.object) }

  /// The version that the database is at, if it is at one.
  var reference: VersionReference? {
    guard case .store(let record) = presence else { return nil }
    return VersionReference(name: record.versionName, checksum: record.checksum)
  }

  /// Plans the steps to a target.
  ///
  /// - Parameters:
  ///   - target: The target.
  ///   - isExplicit: Whether the user named it.
  ///   - destination: The catalog of the schema in which the target is created beside the source;
  ///     `nil` if the source itself changes.
  ///   - connection: The database, whose dependent objects are read if the steps could break them.
  /// - Returns: The steps in their order; none if the database is at the target.
  /// - Throws: The reason why there are none.
  func steps(
    to target: LoadedVersion,
    isExplicit: Bool,
    into destination: VersionCatalog? = nil,
    _ connection: borrowing PostgresConnection
  ) throws -> [MigrationStep] {
    if let destination {
      let steps = try steps(
        copyingTo: target,
        isExplicit: isExplicit,
        in: destination,
        connection
      )
      try refusePublications(in: steps, connection)
      return steps
    }
    return try steps(connection) { notNull, dependents in
      try lockBudget.fitted(
        steps(to: target, isExplicit: isExplicit, notNull: notNull, among: dependents)
      )
    }
  }

  /// Plans steps with the actual constraints and dependent objects of the tables.
  ///
  /// - Parameters:
  ///   - connection: The database.
  ///   - plan: Returns the steps, given NOT NULL constraints that differ from the version, and a
  ///     function that reads dependent objects.
  /// - Returns: The steps.
  /// - Throws: The reason why there are none.
  func steps(
    _ connection: borrowing PostgresConnection,
    _ plan: (
      [ColumnReference: NotNullConstraint], () throws -> [DependentObject]
    ) throws -> [MigrationStep]
  ) throws -> [MigrationStep] {
    let schema = try recordedVersion()?.projection.schema
    var notNull: [ColumnReference: NotNullConstraint] = [:]
    // The constraints of older servers have no names.
    if let schema, serverMajor >= 18 {
      notNull = try SchemaInspection(catalog.store).foundNotNull(besides: schema, connection)
    }
    let steps: [MigrationStep]
    do {
      steps = try plan(notNull) {
        guard let schema else { return [] }
        let objects = StoreObjects(
          schema,
          retained: retained,
          stagingSchema: catalog.store.stagingSchema,
          besides: interfaces
        )
        return try DependentInspection(objects).dependents(connection)
      }
    } catch {
      // What is not known may be on a node that is down.
      if kinds.isOnOtherNodes { try NodeInspection.refuseSilentNode(connection) }
      throw error
    }
    try refuseKinds(in: steps)
    if steps.contains(where: \.reachesNodes) || kinds.isOnOtherNodes,
      !steps.allSatisfy(\.isMetadataOnly)
    {
      try NodeInspection.refuseSilentNode(connection)
    }
    try refusePublications(in: steps, connection)
    try refuseRowFunctions(in: steps, connection)
    let links = LinkPrivileges(catalog.store)
    let linked = try steps.map { try links.added(to: $0, connection) }
    guard linked.contains(where: { !$0.newTables.isEmpty }) else { return linked }
    let privileges = try DefaultPrivileges(catalog.store, connection)
    return linked.map(privileges.added)
  }

  /// Returns the same view of who copies in another way.
  func copying(by strategy: CopyStrategy) -> DatabaseView {
    var view = self
    view.catalog = catalog.copying(by: strategy)
    view.continued = nil
    return view
  }

  /// Plans the same steps with each copy in one transaction, as a script needs.
  func lockedSteps(
    to target: LoadedVersion,
    isExplicit: Bool,
    _ connection: borrowing PostgresConnection
  ) throws -> [MigrationStep] {
    try copying(by: .locked).steps(to: target, isExplicit: isExplicit, connection)
  }

  private func steps(
    to target: LoadedVersion,
    isExplicit: Bool,
    notNull: [ColumnReference: NotNullConstraint],
    among dependents: () throws -> [DependentObject]
  ) throws -> [MigrationStep] {
    try checkDraft(target)
    var planning = try stepPlanning()
    planning.returnable = intact
    let recorded: VersionIdentity
    switch presence {
    case .noMetadata, .noStore:
      return try serving([
        planning.creation(of: catalog.planned(target), createsSchema: !hasSchema)
      ])
    case .creating(let record): recorded = record.identity
    case .store(let record): recorded = record.identity
    }
    let isCreating = creation != nil
    guard let recordedModel else { return [] }
    var start = try planned(recorded, recordedModel)
    if recorded == target.identity, !isCreating { return try servingSteps(at: start) }
    let creation = try creation.map { [try remainder(of: $0, start, planning)] } ?? []
    if recorded == target.identity { return creation }
    let versions = try path(from: recorded, to: target, isExplicit)
    planning.keepsPrevious =
      keepsPrevious && recorded.name != target.name
      && interfaces.contains { $0.versionName == recorded.name }
    let retirements = try retirements(before: target.name, planning)
    if !retirements.isEmpty { start = try planned(recorded, recordedModel, isWhole: true) }
    return try creation + retirements
      + serving(
        planning.steps(
          from: start,
          over: versions,
          retained: retained,
          notNull: notNull,
          among: dependents
        ),
        after: retirements
      )
  }

  /// Plans the making of a target in another schema.
  ///
  /// - Parameters:
  ///   - target: The target.
  ///   - isExplicit: Whether the user named it.
  ///   - destination: The catalog of the other schema.
  ///   - connection: The database.
  /// - Returns: The steps.
  /// - Throws: Why there are none.
  private func steps(
    copyingTo target: LoadedVersion,
    isExplicit: Bool,
    in destination: VersionCatalog,
    _ connection: borrowing PostgresConnection
  ) throws -> [MigrationStep] {
    guard case .store(let record) = presence, let recordedModel else {
      throw RemodelError(.nothingToCopy(schema: catalog.configuration.schema.name))
    }
    guard catalog.configuration.schema != destination.configuration.schema else {
      throw RemodelError(.occupiedSchema(destination.configuration.schema.name))
    }
    let other = try DatabaseView(destination, connection)
    guard other.presence == .noStore else {
      throw RemodelError(.occupiedSchema(destination.configuration.schema.name))
    }
    let recorded = record.identity
    let planning = try stepPlanning()
    let start = try planned(recorded, recordedModel, isWhole: true)
    let steps = try planning.steps(
      copying: start,
      over: recorded == target.identity
        ? [] : path(from: recorded, to: target, isExplicit),
      to: target,
      in: destination,
      createsSchema: !other.hasSchema
    )
    let postponed = interfaces.flatMap(\.postponed)
    return try lockBudget.fitted(
      steps.enumerated().map { index, step in
        index == 0 ? step.asking(about: postponed, of: start.projection.schema) : step
      }
    )
  }

  /// Returns warnings about unexpected properties of steps: the number of their locks, and their
  /// duration.
  func warnings(for steps: [MigrationStep]) -> [Diagnostic] {
    let settling = job.flatMap { job in
      job.state == .settling
        ? Diagnostic(
          .warning,
          "copy job \(job.id) has foreign keys to validate, which migrate does before all else"
        ) : nil
    }
    let unfinished =
      pending.isEmpty || steps.isEmpty
      ? nil
      : Diagnostic(
        .warning,
        "an earlier migration has left deferred work, which migrate does first",
        detail: pending.map(\.summary).shownInLines
      )
    return [settling, unfinished].compactMap(\.self) + lockBudget.warnings(for: steps)
      + warningsOfEnds(of: steps)
  }

  /// Returns a warning for each copy in many transactions whose last one takes long.
  private func warningsOfEnds(of steps: [MigrationStep]) -> [Diagnostic] {
    let forecast = PlanForecast(of: steps, sizes: sizes)
    return zip(steps, forecast.steps).compactMap { step, expected in
      guard step.isCopyJob, case .about(let seconds)? = expected.longestRead?.readers,
        .seconds(seconds) > catalog.configuration.maxBlock
      else { return nil }
      let tables = step.tablesAtEnd.map { "\"\($0)\"" }.joined(separator: ", ")
      return Diagnostic(
        .warning,
        "the end of the copy to version \"\(step.destination.name)\" blocks its tables "
          + "for about \(Int(seconds.rounded(.up))) s",
        detail: tables.isEmpty ? nil : "It scans or rewrites: \(tables).",
        hint: "Put changes of tables that are not copied into a version of their own."
      )
    }
  }

  /// Returns whether a step is that of the unfinished job.
  func isBegun(_ step: MigrationStep) -> Bool {
    continued.map { $0.source == step.source?.name && $0.target == step.destination.name } ?? false
  }

  /// The record of the creation, where the store is being created.
  var creation: CreationRecord? {
    if case .creating(let record) = presence { record } else { nil }
  }

  /// Returns the planning of steps for the tables as they are.
  func stepPlanning() throws -> StepPlanning {
    try StepPlanning(
      catalog,
      serverMajor: serverMajor,
      sizes: sizes,
      continued: continued,
      fillObstacles: fillObstacles,
      kinds: kinds
    )
  }

  /// The version that the database is at, laid out from the model that the metadata has.
  ///
  /// - Parameter isWhole: Whether it has the constraints that hold later.
  /// - Returns: The version; `nil` if there is none.
  /// - Throws: That the model has no tables.
  func recordedVersion(isWhole: Bool = false) throws -> PlannedVersion? {
    guard case .store(let record) = presence, let recordedModel else { return nil }
    return try planned(record.identity, recordedModel, isWhole: isWhole)
  }

  private func planned(
    _ recorded: VersionIdentity,
    _ model: ManagedObjectModel,
    isWhole: Bool = false
  ) throws -> PlannedVersion {
    var planned = try catalog.planned(recorded, model)
    planned.isDraft = drafts.contains(recorded)
    return isWhole ? planned : planned.postponing(interfaces.flatMap(\.postponed))
  }

  /// Returns the rest of a creation, which must be the one that was begun.
  private func remainder(
    of creation: CreationRecord,
    _ version: PlannedVersion,
    _ planning: StepPlanning
  ) throws -> MigrationStep {
    for createsSchema in [false, true] {
      let whole = try planning.creation(of: version, createsSchema: createsSchema)
      guard let step = try serving([whole]).first else { continue }
      if step.digest == creation.planDigest {
        return lockBudget.continued(step, after: creation.done)
      }
    }
    throw RemodelError(
      isBeingFilled
        ? .unfinishedTransfer(
          version: creation.versionName,
          record: catalog.store.transferRecord.quoted
        ) : .otherCreation(version: creation.versionName)
    )
  }

  /// Returns the versions on the way of the rows to a target, the target last; none if the store is
  /// there.
  ///
  /// - Throws: That there is no store, or no way.
  func versions(to target: LoadedVersion, isExplicit: Bool) throws -> [LoadedVersion] {
    guard case .store(let record) = presence else {
      if let creation { throw RemodelError(.unfinishedCreation(version: creation.versionName)) }
      throw RemodelError(.nothingToTransfer(schema: catalog.configuration.schema.name))
    }
    if record.identity == target.identity { return [] }
    return try path(from: record.identity, to: target, isExplicit)
  }

  /// Returns the versions that the way leads over, the target last.
  private func path(
    from recorded: VersionIdentity,
    to target: LoadedVersion,
    _ isExplicit: Bool
  ) throws -> [LoadedVersion] {
    let candidates = PathCandidates(
      catalog.bundle.versions(from: recorded.name, to: target.name),
      catalog
    )
    let versions = candidates.versions
    guard let position = versions.firstIndex(where: { $0.path == target.path }) else {
      // A file outside the bundle: there is nothing between.
      return [target]
    }
    do {
      let path = try MigrationPath(
        from: recorded,
        visited: visited.map(\.version),
        over: versions.map(\.identity),
        to: position,
        isExplicit: isExplicit,
        isDirect: catalog.configuration.isDirect,
        naturalPosition: catalog.hasNaturalOrder
          ? versions.firstIndex { naturallyPrecedes(recorded.name, $0.name) } ?? versions.count
          : nil,
        ancestry: VersionAncestry(of: versions.map(\.asMade)),
        drafts: drafts,
        isDraft: catalog.configuration.isDraft
      )
      if !catalog.configuration.isDirect {
        try candidates.checkVersions(on: path, from: recorded)
      }
      return path.hops.map { versions[$0.end] }
    } catch let error as MigrationPath.Refusal {
      throw refusal(error, target, versions, recorded)
    }
  }

  private func refusal(
    _ refusal: MigrationPath.Refusal,
    _ target: LoadedVersion,
    _ versions: [LoadedVersion],
    _ recorded: VersionIdentity
  ) -> RemodelError {
    switch refusal {
    case .newer(let name): return RemodelError(.newerVersion(recorded: name, target: target.name))
    case .wentBack(let name): return RemodelError(.wentBack(recorded: name, target: target.name))
    case .edited(let name):
      let edited = versions.first { $0.name == name }
      let applied = visited.last { $0.version.name == name }
      let changes = edited.map { applied?.changes(to: $0) ?? [] } ?? []
      return RemodelError(.editedVersion(name, changes: changes))
    }
  }
}

extension DatabaseView {
  /// Finds versions of the bundle that were applied and are others now, which every way to a later
  /// version is refused for; an edit of the target that leaves the rows alone is none.
  func editedVersions(besides target: LoadedVersion) throws -> [RemodelError] {
    PathCandidates(catalog.bundle.versions, catalog).versions.compactMap { version in
      let applied = visited.filter { $0.version.name == version.name && !$0.isDraft }
      guard let last = applied.last,
        !applied.contains(where: { $0.version == version.identity }),
        version.path != target.path || last.version.checksum != version.hashes.checksum
      else { return nil }
      return RemodelError(.editedVersion(version.name, changes: last.changes(to: version)))
    }
  }
}

extension VersionCatalog {
  /// The store that the configuration names.
  var store: StoreIdentity {
    StoreIdentity(
      schema: configuration.schema,
      modelName: bundle.name,
      configurationName: configuration.configurationName,
      metadataSchema: configuration.metadataSchema,
      trustedOwners: configuration.trustedOwners
    )
  }

  /// The place that a plan of the store is for, with the role that its sessions take on.
  func place(as role: SQLIdentifier?) -> MigrationPlan.Place {
    MigrationPlan.Place(
      schema: store.schema,
      metadataSchema: store.metadataSchema,
      modelName: store.modelName,
      configurationName: store.configurationName,
      role: role
    )
  }
}

extension ArchivedModel {
  /// Returns the differences between a version and the applied one, in words.
  func changes(to edited: LoadedVersion) -> [String] {
    guard let model = try? model else { return [] }
    return ModelDifference(from: model, to: edited.model).changes.map(\.description)
  }
}

extension DatabaseView {
  /// Refuses steps that fill tables which a publication of all tables would send to subscribers.
  func refusePublications(
    in steps: [MigrationStep],
    _ connection: borrowing PostgresConnection
  ) throws {
    guard let copying = steps.first(where: \.fillsTables) else { return }
    let refusals = try copying.publicationsInTheWay(connection)
    guard refusals.isEmpty else { throw PlanningError(fact: .dependentsInTheWay(refusals)) }
  }

  /// Refuses steps that tables do not survive as what they are, or that the server only seems to carry out.
  func refuseKinds(in steps: [MigrationStep]) throws(PlanningError) {
    var kinds = kinds
    var refusals: [KindRefusal] = []
    for step in steps {
      refusals += step.kindRefusals(kinds).filter { !refusals.contains($0) }
      kinds = kinds.after(step)
    }
    guard refusals.isEmpty else { throw PlanningError(fact: .kindsInTheWay(refusals)) }
  }

  /// Refuses steps after which functions that return rows would fail.
  func refuseRowFunctions(
    in steps: [MigrationStep],
    _ connection: borrowing PostgresConnection
  ) throws {
    var refusals: [DependentRefusal] = []
    for (index, step) in steps.enumerated() {
      refusals += try step.rowFunctionsInTheWay(after: Array(steps[..<index]), connection)
        .filter { !refusals.contains($0) }
    }
    guard refusals.isEmpty else { throw PlanningError(fact: .dependentsInTheWay(refusals)) }
  }
}
