internal import ObjectModel
package import SQLSyntax

/// The known sizes of the tables when a step begins.
///
/// It follows tables that earlier steps create, fill and rename.
package struct ForecastState {
  /// The known sizes by the current names of the tables.
  private(set) var sizes: [QualifiedName: TableSize] = [:]
  /// The rates of work on them.
  private let rates: WorkRates
  /// The names before the plan by the current names of the tables.
  private var formerNames: [QualifiedName: QualifiedName] = [:]
  /// The bytes on disk beyond those before the plan; `nil` if unknown.
  private var growth: Int? = 0

  /// Creates the state before a plan.
  ///
  /// - Parameters:
  ///   - sizes: The sizes of the existing tables, by name.
  ///   - schema: Their schema; `nil` if there are none.
  package init(sizes: TableSizes, schema: SQLIdentifier?) {
    rates = WorkRates(speed: sizes.speed)
    guard let schema else { return }
    for (name, size) in sizes.tables {
      self.sizes[QualifiedName(schema: schema, name: SQLIdentifier(name))] = size
    }
  }

  /// Returns the forecast of a step, and moves to the state after it.
  package mutating func carryOut(_ step: MigrationStep) -> StepForecast {
    let statements = step.allStatements
    var forecast = StepForecast(statements: [], blocks: [], peakDiskBytes: nil)
    var waits = BlockedTables()
    var peak = growth
    for transaction in step.forecastTransactions {
      waits.begin()
      for lock in transaction.lockedTables { waits.take(lock.mode, on: formerName(lock.name)) }
      waits.work(transaction.secondsBefore, statement: nil)
      waits.work(questionSeconds(of: step, in: transaction), statement: nil)
      // The finished part of a continued creation takes no time.
      while forecast.statements.count < transaction.statements.lowerBound {
        forecast.statements.append(StatementForecast(WorkEstimate(), false, []))
      }
      var freed: Int? = 0
      for index in transaction.statements {
        let statement = statements[index]
        for (table, mode) in statement.impact.locks {
          waits.take(mode, on: formerName(QualifiedName(schema: step.workingSchema, name: table)))
        }
        let hazards = hazards(of: statement, in: step.workingSchema)
        let works = works(of: statement, in: step)
        let isLong = works.contains { $0.tables.contains { sizes[$0]?.isSmall != true } }
        let rowsAtRisk = rowsAtRisk(by: statement, works, in: step.workingSchema)
        let estimate = carryOut(works)
        waits.work(estimate?.seconds, statement: index)
        growth = sum([growth, estimate?.writtenBytes])
        peak = growth.flatMap { now in peak.map { max($0, now) } }
        freed = sum([freed, estimate?.freedBytes])
        forecast.statements.append(StatementForecast(estimate, isLong, hazards))
        forecast.statements[index].rowsAtRisk = rowsAtRisk
      }
      growth = sum([growth, freed.map { -$0 }])
      waits.end(keepingWriters: transaction.turnsWritersAway)
    }
    forecast.blocks = waits.blocks
    forecast.peakDiskBytes = peak
    forecast.triggerCosts = StepForecast.triggerCosts(of: step, rates)
    return forecast
  }

  // MARK: - Tables

  /// Returns whether a table takes no time to speak of.
  private func isSmall(_ table: SQLIdentifier, in schema: SQLIdentifier) -> Bool {
    sizes[QualifiedName(schema: schema, name: table)]?.isSmall == true
  }

  private func formerName(_ table: QualifiedName) -> QualifiedName { formerNames[table] ?? table }

  private mutating func rename(_ table: QualifiedName, to name: QualifiedName) {
    sizes[name] = sizes.removeValue(forKey: table)
    formerNames[name] = formerNames.removeValue(forKey: table) ?? table
  }

  /// Returns the hazards of a statement; one that runs outside of the step's transaction blocks
  /// nobody while it reads.
  private func hazards(of statement: PlannedStatement, in schema: SQLIdentifier) -> [Hazard] {
    let hazards = statement.impact.hazards { isSmall($0, in: schema) }
    return statement.phase == .switch ? hazards : hazards.filter { $0 != .scansTable }
  }

  /// Returns how many rows lose values by a statement: those that it deletes, or those of the table
  /// that it locks.
  private func rowsAtRisk(
    by statement: PlannedStatement,
    _ works: [RowWork],
    in schema: SQLIdentifier
  ) -> RowsAtRisk? {
    guard statement.impact.hazards.contains(.deletesData), !statement.hasUnknownEffect else {
      return nil
    }
    var tables: [QualifiedName] = works.compactMap { work in
      switch work {
      case .drop(let table), .delete(let table), .change(let table): table
      case .read, .rewrite, .index, .checkReferences, .fill, .create, .rename: nil
      }
    }
    if tables.isEmpty {
      tables = statement.impact.locks.filter { $0.value == .accessExclusive }
        .map { QualifiedName(schema: schema, name: $0.key) }
    }
    return sum(tables.map { sizes[$0]?.rows }).map(RowsAtRisk.about) ?? .notKnown
  }

  // MARK: - Work

  /// Returns the row work of a statement; its scans if it declares none.
  private func works(of statement: PlannedStatement, in step: MigrationStep) -> [RowWork] {
    statement.rowWork.isEmpty
      ? statement.impact.reading(in: step.workingSchema) : statement.rowWork
  }

  private mutating func carryOut(_ works: [RowWork]) -> WorkEstimate? {
    var estimate: WorkEstimate? = WorkEstimate(
      seconds: WorkRates.secondsPerStatement,
      logBytes: WorkRates.logPerStatement
    )
    for work in works {
      let part = carryOut(work)
      estimate = estimate.flatMap { sum in part.map { sum + $0 } }
    }
    return estimate
  }

  /// Returns the estimate of some work, and updates the sizes of the tables.
  private mutating func carryOut(_ work: RowWork) -> WorkEstimate? {
    switch work {
    case .read(let table): return sizes[table].map(rates.reading)
    case .rewrite(let table): return sizes[table].map(rates.rewriting)
    case .change(let table): return sizes[table].map(rates.changing)
    case .delete(let table): return sizes[table].map(rates.deleting)
    case .checkReferences(let table, let referenced):
      guard let size = sizes[table], let other = sizes[referenced] else { return nil }
      return rates.checkingReferences(size, to: other)
    case .index(let table, let key):
      guard let size = sizes[table] else { return nil }
      let estimate = rates.indexing(size, key)
      sizes[table] = size.adding(indexBytes: estimate.writtenBytes)
      return estimate
    case .fill(let table, let source, let route):
      guard let origin = sizes[source] else {
        sizes[table] = nil
        return nil
      }
      let estimate = rates.filling(from: origin, route)
      sizes[table] = sizes[table]?.adding(rows: origin.rows, bytes: estimate.writtenBytes)
      return estimate
    case .create(let table):
      sizes[table] = TableSize(rows: 0, bytes: 0)
      formerNames[table] = table
      return WorkEstimate()
    case .rename(let table, let name):
      rename(table, to: name)
      return WorkEstimate()
    case .drop(let table):
      let size = sizes.removeValue(forKey: table)
      return WorkEstimate(freedBytes: size?.bytes ?? 0)
    }
  }

  /// Returns the duration of the preconditions that are checked under the locks.
  private func questionSeconds(
    of step: MigrationStep,
    in transaction: ForecastTransaction
  ) -> Double? {
    guard transaction.asksRows, let source = step.source?.projection else { return 0 }
    return sum(
      step.preconditions.filter(\.failsSilently).map { question in
        guard let entity = source.model.entity(named: question.entityName),
          let table = source.table(of: entity)
        else { return 0 }
        return sizes[source.schema.qualified(table)].map { rates.reading($0).seconds }
      }
    )
  }
}

extension TableSize {
  fileprivate func adding(rows: Int = 0, bytes: Int = 0, indexBytes: Int = 0) -> TableSize {
    TableSize(
      rows: self.rows + rows,
      bytes: self.bytes + bytes + indexBytes,
      indexBytes: self.indexBytes + indexBytes,
      toastBytes: toastBytes
    )
  }
}

extension StatementForecast {
  fileprivate init(_ estimate: WorkEstimate?, _ isLong: Bool, _ hazards: [Hazard]) {
    self.init(
      seconds: estimate?.seconds,
      rows: estimate?.rows,
      bytes: estimate?.bytes,
      writtenBytes: estimate?.writtenBytes,
      logBytes: estimate?.logBytes,
      isLong: isLong,
      hazards: hazards
    )
  }
}
