internal import MigrationExecution
internal import MigrationPlanning
internal import PostgresClient
internal import SQLSyntax

extension DatabaseView {
  /// Plans a revert of a migration.
  ///
  /// - Parameters:
  ///   - leg: The migration.
  ///   - acceptsLosses: Whether to revert in spite of losses.
  ///   - connection: The database, to count the losses.
  /// - Returns: The step and its losses.
  /// - Throws: The reason why there is none.
  func stepBack(
    over leg: WayBack.Leg,
    acceptingLosses acceptsLosses: Bool,
    _ connection: borrowing PostgresConnection
  ) throws -> (target: LoadedVersion, step: MigrationStep, losses: [ReturnLoss]) {
    guard case .store(let record) = presence, record.versionName == leg.target,
      let target = try returnTarget(of: leg, besides: record)
    else { throw RemodelError(.noWayBack(from: reference?.name)) }
    let made = try metadata.madeTables(of: leg.target, connection)
    // A version without a mapping model is reverted in place, with rows written since, if nothing
    // is lost; otherwise the replaced tables are put back, if nothing was written since.
    var ways: [Bool] = made.contains(where: \.isAuthored) ? [true] : [false]
    if ways == [false], !made.isEmpty { ways.append(true) }
    var found: [(step: MigrationStep, losses: [ReturnLoss])] = []
    for isReplacing in ways {
      do {
        let way = try step(over: leg, to: target, made, isReplacing, acceptsLosses, connection)
        found.append(way)
        if way.losses.isEmpty { return (target, way.step, []) }
      } catch let error as RemodelError where error.isOfMapping && isReplacing != ways.last {
        // The tables that were replaced need no mapping.
        continue
      }
    }
    let others = found.dropFirst().flatMap(\.losses)
    return (target, found[0].step, found[0].losses.map { $0.told(besides: others) })
  }

  private func step(
    over leg: WayBack.Leg,
    to target: LoadedVersion,
    _ made: [MadeTable],
    _ isReplacing: Bool,
    _ acceptsLosses: Bool,
    _ connection: borrowing PostgresConnection
  ) throws -> (step: MigrationStep, losses: [ReturnLoss]) {
    func firstStep(_ view: DatabaseView) throws -> MigrationStep {
      let steps = try view.stepsBack(over: leg, to: target, isReplacing: isReplacing, connection)
      guard let back = steps.first?.asRevert, let step = try view.serving([back]).first else {
        throw RemodelError(.noWayBack(from: reference?.name))
      }
      return step
    }
    let step = try firstStep(self)
    // Checked before reading rows, which takes some of these rights.
    if !catalog.configuration.isForShow {
      try ReadinessInspection(catalog.store, metadataLayout: metadataLayout)
        .check([step], connection)
    }
    try checkOwners(connection)
    if step.isAuthored { return (step, []) }
    // The strategy for copying rows does not affect the losses.
    let plain = step.copy == nil ? step : try firstStep(copying(by: .locked))
    // Rows on other nodes have the numbers of transactions there.
    let relevant = (isReplacing ? made : []).map { table in
      var table = table
      if kinds[table.name]?.isOnOtherNodes == true { table.isTold = false }
      return table
    }
    let losses = try losses(by: plain, relevant, connection)
    // Rows written until the tables are locked are counted under the locks.
    return (acceptsLosses ? step : step.asking(relevant.filter(\.isTold)), losses)
  }

  /// Returns the version that a migration started from, as the metadata keeps it.
  private func returnTarget(
    of leg: WayBack.Leg,
    besides record: StoreRecord
  ) throws -> LoadedVersion? {
    let found = visited.last { archived in
      archived.version.name == leg.source
        && (leg.sourceChecksum.map { $0 == archived.version.checksum } ?? true)
        && (archived.version.name != record.versionName
          || archived.version.layoutDigest != record.layoutDigest)
    }
    return try found.map { try LoadedVersion($0) }
  }

  fileprivate func stepsBack(
    over leg: WayBack.Leg,
    to target: LoadedVersion,
    isReplacing: Bool,
    _ connection: borrowing PostgresConnection
  ) throws -> [MigrationStep] {
    // Objects retained by an earlier migration do not belong to this one.
    let returnable = Set(
      try metadata.retainedEntries(connection)
        .filter { $0.retainedAt >= leg.startedAt && intact.contains($0.object) }.map(\.object)
    )
    return try steps(connection) { notNull, dependents in
      guard let start = try recordedVersion() else { return [] }
      var planning = try stepPlanning()
      planning.returnable = returnable
      if isReplacing {
        let name = try catalog.planned(target).retentionName
        let tables = returnable.filter { $0.version == name && $0.origin?.content == .table }
        planning.replaced = Set(tables.compactMap { $0.origin.map { SQLIdentifier($0.table) } })
      }
      return try lockBudget.fitted(
        planning.steps(
          from: start,
          over: [target],
          retained: retained,
          notNull: notNull,
          among: dependents
        )
      )
    }
  }

  // MARK: - Losses

  private func losses(
    by step: MigrationStep,
    _ made: [MadeTable],
    _ connection: borrowing PostgresConnection
  ) throws -> [ReturnLoss] {
    // An authored mapping model decides about everything.
    if step.isAuthored { return [] }
    let losses = StepLosses(by: step)
    return try made.compactMap { try loss(of: $0, by: step, connection) }
      + losses.emptyElements.compactMap { try loss(of: $0, by: step, connection) }
      + losses.goneEntities.map { .entityRows(entity: $0) }
      + retained.filter { losses.leavesBehind($0) }.map { .unbound($0) }
  }

  private func loss(
    of table: MadeTable,
    by step: MigrationStep,
    _ connection: borrowing PostgresConnection
  ) throws -> ReturnLoss? {
    guard step.leaves(table.name) else { return .madeValues(table: table.name) }
    guard table.isTold, let questions = step.questions(of: table) else {
      return .unknownWrites(table: table.name)
    }
    let written = try connection.query(questions.written).first?.integer("count") ?? 0
    let deleted =
      table.rowCount == nil
      ? nil : try connection.query(questions.deleted).first?.integer("count")
    return written == 0 && deleted == 0
      ? nil : .writes(table: table.name, written: written, deleted: deleted)
  }

  private func loss(
    of element: EmptyElement,
    by step: MigrationStep,
    _ connection: borrowing PostgresConnection
  ) throws -> ReturnLoss? {
    guard element.column != nil else { return .rows(element) }
    let table = QualifiedName(
      schema: catalog.store.schema,
      name: step.formerName(ofTable: element.table)
    )
    let rows = try connection.query("SELECT count(*) FROM \(table)").value.flatMap { Int($0) } ?? 0
    return rows == 0 ? nil : .values(element, rows: rows)
  }
}

extension RemodelError {
  /// A Boolean value that indicates whether there is no mapping to the version before.
  var isOfMapping: Bool { if case .noMapping = fact { true } else { false } }
}

extension ReturnLoss {
  /// Returns the same with the reason why the tables that a copy has replaced cannot come back in place of
  /// it, which is another way back.
  fileprivate func told(besides others: [ReturnLoss]) -> ReturnLoss {
    guard case .unbound(let object) = self, object.column == nil,
      let table = object.origin.map({ SQLIdentifier($0.table) })
    else { return self }
    let reasons = others.filter { $0.writtenTable == table }
    return reasons.isEmpty
      ? self : .replaced(table: table, retained: object.table, since: reasons)
  }
}
