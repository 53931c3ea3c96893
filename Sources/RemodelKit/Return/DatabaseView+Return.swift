internal import MigrationExecution
internal import MigrationPlanning
internal import PostgresClient
internal import SQLSyntax

extension DatabaseView {
  /// Plans the way back over the last migration.
  ///
  /// - Parameters:
  ///   - leg: The migration.
  ///   - connection: The database, which is asked what would be lost.
  /// - Returns: The step, and what would be lost by it.
  /// - Throws: Why there is no way back.
  func stepBack(
    over leg: WayBack.Leg,
    _ connection: borrowing PostgresConnection
  ) throws -> (target: LoadedVersion, step: MigrationStep, losses: [ReturnLoss]) {
    guard case .store(let record) = presence, record.versionName == leg.target,
      let target = try returnTarget(of: leg, besides: record)
    else { throw RemodelError(.noWayBack(from: reference?.name)) }
    let made = try metadata.madeTables(of: leg.target, connection)
    let steps = try stepsBack(to: target, isCustom: !made.isEmpty, connection)
    guard let step = steps.first?.asRevert else {
      throw RemodelError(.noWayBack(from: reference?.name))
    }
    let losses = try losses(by: step, made, connection)
    return (target, step, losses)
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

  private func stepsBack(
    to target: LoadedVersion,
    isCustom: Bool,
    _ connection: borrowing PostgresConnection
  ) throws -> [MigrationStep] {
    func steps(_ dependents: [DependentObject]) throws -> [MigrationStep] {
      guard let start = try recordedVersion() else { return [] }
      var planning = try StepPlanning(
        catalog,
        serverMajor: serverMajor,
        sizes: sizes,
        continued: continued
      )
      if isCustom {
        let tables = retained.filter { $0.version == target.name && $0.origin?.content == .table }
        planning.replaced = Set(tables.compactMap { $0.origin.map { SQLIdentifier($0.table) } })
      }
      return try lockBudget.fitted(
        planning.steps(from: start, over: [target], retained: retained, dependents: dependents)
      )
    }
    return try withDependents(steps, connection)
  }

  // MARK: - Losses

  private func losses(
    by step: MigrationStep,
    _ made: [MadeTable],
    _ connection: borrowing PostgresConnection
  ) throws -> [ReturnLoss] {
    // A mapping model of somebody's says what becomes of everything.
    if step.isAuthored { return [] }
    let left = made.filter { step.leaves($0.name) }.compactMap { table -> ReturnLoss? in
      if table.isUntouched { return nil }
      guard table.isTold else { return .unknownWrites(table: table.name) }
      return .writes(
        table: table.name,
        written: table.writtenCount,
        deleted: table.deletedCount
      )
    }
    let gone = try step.emptyElements.compactMap { element -> ReturnLoss? in
      guard let column = element.column else { return .rows(table: element.table) }
      let before = step.formerName(ofTable: element.table)
      let name = catalog.store.schema
      let rows =
        try connection.query(
          "SELECT count(*) FROM \(QualifiedName(schema: name, name: before))"
        ).value.flatMap { Int($0) } ?? 0
      return rows == 0
        ? nil : .values(table: element.table, column: column, rows: rows)
    }
    return left + gone
  }
}
