internal import Diagnostics
internal import MigrationPlanning
internal import ModelLoading
internal import ModelMapping
internal import ObjectModel
internal import SQLSyntax

/// Plans the steps of a path in order, each with the objects that earlier ones retain.
struct StepPlanning {
  /// An unfinished copy: its versions, its strategy, and its tables.
  typealias ContinuedCopy = (
    source: String?, target: String, strategy: CopyStrategy, tables: Set<SQLIdentifier>
  )

  let catalog: VersionCatalog
  private(set) var planner: MigrationPlanner
  /// Whether tables that are not known to be small are large, and not just of unknown size.
  private let knowsSizes: Bool
  /// The size of each table, as estimated; empty without a database.
  private let sizes: TableSizes
  private let continued: ContinuedCopy?
  let mappings: MappingCatalog
  /// The tables of an earlier version that replace those of a mapping model in a revert.
  var replaced: Set<SQLIdentifier> = []
  /// The objects retained before the first step.
  private var known: Set<RetainedObject> = []
  /// A Boolean value that indicates whether the version that the first step starts from stays served.
  var keepsPrevious = false
  /// The retained objects that can be put back.
  var returnable: Set<RetainedObject> = []

  init(
    _ catalog: VersionCatalog,
    serverMajor: Int = MigrationPlanner.oldestServerMajor,
    sizes: TableSizes? = nil,
    continued: ContinuedCopy? = nil,
    fillObstacles: FillObstacles = FillObstacles(),
    kinds: TableKinds = TableKinds()
  ) throws {
    self.continued = continued
    self.sizes = sizes ?? [:]
    knowsSizes = sizes != nil
    self.catalog = catalog
    mappings = try MappingCatalog(catalog)
    planner = MigrationPlanner(
      removals: catalog.configuration.removals,
      strategy: catalog.configuration.strategy ?? .locked,
      stagingSchema: catalog.store.stagingSchema,
      serverMajor: serverMajor
    )
    planner.fillObstacles = fillObstacles
    planner.kinds = kinds
    // Without a strategy, a step is carried out in one transaction.
    planner.isPhased = catalog.configuration.strategy == .online
    if !catalog.configuration.takesTablesForLarge {
      let small = self.sizes.tables.filter(\.value.isSmall).keys
      planner.smallTables = Set(small.map { SQLIdentifier($0) })
    }
  }

  /// Has the tables of a version count as small, whose sizes are not known.
  mutating func takeTablesForSmall(of version: PlannedVersion) {
    planner.smallTables = Set(version.projection.schema.tables.keys)
  }

  func creation(of target: PlannedVersion, createsSchema: Bool) throws -> MigrationStep {
    let step = try planner.step(
      creating: target,
      createsSchema: createsSchema
    )
    try limits.check([step], sizes: sizes)
    return step
  }

  /// Plans to add the constraints of a version that were postponed, to large tables while others read and write.
  ///
  /// - Parameters:
  ///   - version: The version.
  ///   - start: The version without them, as the database has it.
  ///   - retained: The objects that earlier migrations have retained.
  /// - Returns: The step.
  /// - Throws: The reason why there is none.
  func completion(
    of version: PlannedVersion,
    from start: PlannedVersion,
    retained: [RetainedObject]
  ) throws -> MigrationStep {
    let model = version.projection.model
    let mapping = try CompleteMapping(from: model, to: model)
    var planner = planner
    (planner.strategy, planner.isPhased) = (.online, true)
    let step = try planner.step(from: start, to: version, by: mapping, retained: retained)
    try limits.check([step], sizes: sizes, kinds: planner.kinds)
    return step
  }

  /// Plans the steps from one version over others; consecutive steps are folded into one if that
  /// gives the same rows.
  ///
  /// - Parameters:
  ///   - start: The version of the rows.
  ///   - versions: The versions on the path, the target last.
  ///   - retained: The objects that earlier migrations have retained.
  ///   - notNull: The NOT NULL constraints that differ from the version.
  ///   - dependents: Reads the objects outside of the store that use its tables, which only some
  ///     steps need.
  /// - Returns: The steps.
  /// - Throws: The reason why there are none.
  func steps(
    from start: PlannedVersion,
    over versions: [LoadedVersion],
    retained: [RetainedObject],
    notNull: [ColumnReference: NotNullConstraint] = [:],
    among dependents: () throws -> [DependentObject] = { [] }
  ) throws -> [MigrationStep] {
    var planning = self
    planning.known = Set(retained)
    let legs = try planning.legs(from: start, over: versions, retained)
    let steps = try planning.steps(
      from: start,
      over: legs,
      retained,
      notNull,
      among: dependents
    )
    try limits.check(steps, sizes: sizes, kinds: planner.kinds, isBegun: isBegun)
    return steps
  }

  /// Plans the creation of the last of some versions in another schema: the first step copies the
  /// rows there, and further steps migrate them there.
  ///
  /// - Parameters:
  ///   - start: The version of the rows.
  ///   - versions: The versions on the path; none if the version does not change.
  ///   - target: The version to create.
  ///   - destination: The catalog of the other schema.
  ///   - createsSchema: Whether to create the schema as well.
  /// - Returns: The steps, the first of which copies.
  /// - Throws: The reason why there are none.
  func steps(
    copying start: PlannedVersion,
    over versions: [LoadedVersion],
    to target: LoadedVersion,
    in destination: VersionCatalog,
    createsSchema: Bool
  ) throws -> [MigrationStep] {
    var legs = try legs(from: start, over: versions.isEmpty ? [target] : versions)
    guard let leg = legs.first, let version = leg.destination.version else { return [] }
    let copy: MigrationStep
    do {
      copy = try planner.step(
        copying: start,
        into: destination.planned(version),
        by: leg.mapping,
        over: leg.passedVersions,
        createsSchema: createsSchema
      )
      legs.removeFirst()
    } catch let error as PlanningError {
      // Links that move are known to the tables themselves, which are copied as they are.
      guard case .linksMove = error.fact else {
        throw mappings.located(error, from: leg.source.name, to: leg.destination.name)
      }
      let model = start.projection.model
      copy = try planner.step(
        copying: start,
        into: destination.planned(
          model,
          start.name,
          model.versionHashes(),
          nil,
          isInterpreted: true
        ),
        by: CompleteMapping(from: model, to: model),
        createsSchema: createsSchema
      )
    }
    try limits.check([copy], sizes: sizes, kinds: planner.kinds)
    var planning = try StepPlanning(destination, serverMajor: planner.serverMajor)
    // The other schema has no users yet.
    planning.planner.isPhased = false
    let steps = try planning.steps(from: copy.destination, over: legs, [], [:]) { [] }
    // Tables of the other schema have no users yet, whatever their sizes.
    try planning.limits.check(steps, sizes: [:])
    return [copy] + steps
  }

  private func legs(
    from start: PlannedVersion,
    over versions: [LoadedVersion],
    _ retained: [RetainedObject] = []
  ) throws -> [Leg] {
    let retainedVersions = Set(retained.map(\.version))
    guard let target = versions.last else { return [] }
    let known = catalog.models()
    var legs: [Leg] = []
    var source = Leg.End(start)
    var remaining = versions[...]
    while !remaining.isEmpty {
      // A mapping model that leads over several versions wins over the steps between.
      let end = remaining.lastIndex {
        mappings.hasMappings(from: source.name, to: $0.name)
      }
      let version = remaining[end ?? remaining.startIndex]
      remaining = remaining[((end ?? remaining.startIndex) + 1)...]
      let destination = Leg.End(version, isDraft: version.isDraft || catalog.configuration.isDraft)
      let mapping: CompleteMapping
      do {
        mapping = try self.mapping(from: source, to: destination, target: target, known)
      } catch let error as RemodelError where error.isOfMapping {
        // Reinstated objects need no inference.
        guard versions.count == 1,
          let bound = reinstatement(
            from: start,
            to: try catalog.planned(version),
            destination,
            retained
          )
        else { throw error }
        mapping = bound.mapping
      }
      // Objects retained of a version are put back by a step to it.
      if !retainedVersions.contains(source.retentionName),
        let folded = legs.last?.folded(with: mapping, to: destination)
      {
        legs[legs.count - 1] = folded
      } else {
        legs.append(Leg(source: source, destination: destination, mapping: mapping))
      }
      source = destination
    }
    return legs
  }

  private func steps(
    from start: PlannedVersion,
    over legs: [Leg],
    _ retained: [RetainedObject],
    _ notNull: [ColumnReference: NotNullConstraint],
    among readDependents: () throws -> [DependentObject]
  ) throws -> [MigrationStep] {
    var steps: [MigrationStep] = []
    var forecast = ForecastState(sizes: sizes, schema: start.projection.schema.name)
    var source = start
    var retained = retained
    var dependents: [DependentObject]?
    var planner = planner
    planner.foundNotNull = notNull
    for leg in legs {
      guard let version = leg.destination.version else { continue }
      var destination = try catalog.planned(version)
      // An edit of a version leaves what is postponed for it.
      if destination.name == start.name { destination = destination.postponing(start.postponed) }
      planner.wayBack = nil
      if keepsPrevious, steps.isEmpty {
        planner.wayBack = try wayBack(from: destination, to: source)
      }
      func planned(to destination: PlannedVersion) throws -> MigrationStep {
        try self.step(from: source, to: destination, leg, by: planner, retained, forecast) {
          let known =
            try dependents
            ?? steps.reduce(readDependents()) { $1.dependentsAfterwards($0) }
          dependents = known
          return known
        }
      }
      var step = try planned(to: destination)
      if keepsPrevious, legs.count == 1, !step.postponable.isEmpty {
        destination = destination.postponing(step.postponable)
        step = try planned(to: destination)
      }
      planner.smallTables = step.smallTablesAfterwards(planner.smallTables)
      planner.kinds = planner.kinds.after(step)
      planner.foundNotNull = step.foundNotNullAfterwards(planner.foundNotNull)
      _ = forecast.carryOut(step)
      retained = step.retainedAfterwards(retained)
      dependents = dependents.map(step.dependentsAfterwards)
      steps.append(step)
      source = destination
    }
    return steps
  }

  /// Plans a step; without a strategy, rows are copied in one transaction unless it would block
  /// writers for too long.
  ///
  /// An unfinished copy keeps its strategy.
  private func step(
    from source: PlannedVersion,
    to destination: PlannedVersion,
    _ leg: Leg,
    by planner: MigrationPlanner,
    _ retained: [RetainedObject],
    _ forecast: ForecastState,
    among dependents: () throws -> [DependentObject]
  ) throws -> MigrationStep {
    let reinstatement = reinstatement(from: source, to: destination, leg.destination, retained)
    let name = destination.name
    let isBegun = isBegun(from: source.name, to: name)
    let asked = isBegun ? continued?.strategy : catalog.configuration.strategy
    var planner = planner
    planner.strategy = asked ?? .locked
    if isBegun { planner.madeTables = continued?.tables ?? [] }
    planner.reinstatement = reinstatement?.reinstatement
    planner.spares = Set(bindable(retained))
    do {
      var draft = try planner.draft(
        from: reinstatement?.reinstatement.source ?? source,
        to: destination,
        by: reinstatement?.mapping ?? leg.mapping,
        over: leg.passedVersions,
        retained: retained.filter {
          !(reinstatement?.reinstatement.objects.contains($0) ?? false)
        }
      )
      func step(by strategy: CopyStrategy) throws -> MigrationStep {
        let staged = try draft.staged(by: strategy)
        return try staged.step(among: staged.mayBreakDependents ? dependents() : [])
      }
      if draft.fillsBridges, !isBegun {
        do {
          let filled = try step(by: .filled)
          // With that strategy, others wait anyway.
          if asked != .locked { try checkPhases(filled) }
          return filled
        } catch let error as PlanningError {
          guard case .notFillable(let reason) = error.fact else { throw error }
          draft = draft.withoutFilledBridges(reason)
        }
      }
      let planned = try step(by: planner.strategy)
      try checkPhases(planned)
      if let asked {
        try check(planned, asked)
        return planned
      }
      return try chosen(
        insteadOf: planned,
        mayBeFilled: draft.mayBeFilled,
        forecast,
        step(by:)
      )
    } catch let error as PlanningError {
      throw mappings.located(error, from: leg.source.name, to: leg.destination.name)
    }
  }

  /// - Throws: An error if a step in phases keeps others waiting all the same.
  private func checkPhases(_ step: MigrationStep) throws(RemodelError) {
    guard knowsSizes, let obstacle = step.onlineObstacle else { return }
    throw RemodelError(.notPhased(step: step.destination.name, obstacle: obstacle))
  }

  /// - Throws: An error if a step cannot use the requested strategy.
  private func check(_ step: MigrationStep, _ asked: CopyStrategy) throws(RemodelError) {
    let name = step.destination.name
    guard let copy = step.copy else { return }
    if asked == .gated, let mapping = copy.writtenMappingName {
      throw RemodelError(.notInParts(step: name, mapping: mapping))
    }
    if asked == .gated, let mapping = copy.managedMappingName {
      throw RemodelError(.managerInParts(step: name, mapping: mapping))
    }
    guard asked == .online, let obstacle = copy.onlineObstacle else { return }
    throw RemodelError(.notOnline(step: name, obstacle: obstacle, seconds: nil))
  }

  /// Returns the retained objects that can be put back.
  private func bindable(_ retained: [RetainedObject]) -> [RetainedObject] {
    retained.filter { !known.contains($0) || returnable.contains($0) }
  }

  /// Returns the retained objects of a destination to put back, with their mapping; `nil` if there
  /// are none, or if a mapping model specifies the step.
  private func reinstatement(
    from source: PlannedVersion,
    to destination: PlannedVersion,
    _ end: Leg.End,
    _ retained: [RetainedObject]
  ) -> (reinstatement: Reinstatement, mapping: CompleteMapping)? {
    let models = catalog.models()
    guard !mappings.hasMappings(from: source.name, to: destination.name),
      let reinstatement = Reinstatement(
        of: source,
        to: destination,
        bindable(retained),
        replacing: replaced,
        isReturn: isReturn(from: source.name, to: destination.name, models)
      )
    else { return nil }
    let mapping = try? mapping(
      from: Leg.End(reinstatement.source),
      to: end,
      target: end.version,
      models
    )
    // A way over versions between need not be one that can be inferred at once.
    return mapping.map { (reinstatement, $0) }
  }

  // MARK: - Limits

  private var limits: PlanLimits { PlanLimits(catalog.configuration) }

  private func isBegun(_ step: MigrationStep) -> Bool {
    isBegun(from: step.source?.name, to: step.destination.name)
  }

  private func isBegun(from source: String?, to target: String) -> Bool {
    continued.map { $0.source == source && $0.target == target } ?? false
  }
}
