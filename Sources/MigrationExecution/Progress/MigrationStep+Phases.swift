internal import MigrationPlanning
internal import SQLSyntax

extension MigrationStep {
  /// Returns the phases of the step in their order, with what the plan expects of each.
  ///
  /// - Parameter forecast: The forecast of the step; `nil` if there is none.
  /// - Returns: The phases.
  func phases(_ forecast: StepForecast?) -> [PhaseProgress] {
    let planned = PlannedUnits(self, forecast)
    let late = planned.late.isEmpty ? [] : [PhaseProgress(.deferredWork, planned.late)]
    if let copy, isCopyJob { return jobPhases(copy, planned) + late }
    return transactionPhases(planned) + late
  }

  /// The phases of a copy in many transactions.
  private func jobPhases(_ copy: CopyPlan, _ planned: PlannedUnits) -> [PhaseProgress] {
    let copying = planned.copying
    let fills = copying.indices.filter { copying[$0].isFill }
    let before = copying[..<(fills.first ?? copying.endIndex)]
    let after = copying[(fills.last.map { $0 + 1 } ?? copying.endIndex)...]
    let isOnline = strategy == .online
    let parts = planned.parts(of: copy, isOnline)
    var phases = [
      PhaseProgress(.prepare, [WorkUnit(seconds: sum(before))]),
      PhaseProgress(.copyRows, parts),
      PhaseProgress(.buildIndexes, [WorkUnit(seconds: copy.fills.isEmpty ? sum(after) : 0)]),
    ]
    if isOnline { phases.append(PhaseProgress(.catchUp)) }
    // Filled columns are compared before the server proves that they have values.
    let comparison = PhaseProgress(
      .compare,
      copy.fills.isEmpty
        ? planned.comparisons(of: copy, parts, isOnline) : [WorkUnit(seconds: sum(after))]
    )
    // Rows that authored SQL changes at the end are compared before.
    phases.insert(comparison, at: copy.closings.isEmpty ? phases.count : 2)
    phases.append(PhaseProgress(.switch, planned.own, statements: planned.range))
    if !copy.unvalidatedReferences.isEmpty {
      phases.append(PhaseProgress(.validate, [WorkUnit(seconds: sum(planned.settling[...]))]))
    }
    return phases
  }

  /// The phases of a step whose statements are all in its own transactions.
  private func transactionPhases(_ planned: PlannedUnits) -> [PhaseProgress] {
    let own = planned.statements
    if let transferPoint {
      return [
        PhaseProgress(
          .prepare,
          own[..<transferPoint].map(\.unit),
          statements: 0..<transferPoint
        ),
        PhaseProgress(.copyRows, [WorkUnit(name: PlannedUnits.transferName)]),
        PhaseProgress(
          .buildIndexes,
          // The plan does not know how many rows come from the other database.
          own[transferPoint...].map { $0.isIndexing ? WorkUnit() : $0.unit },
          statements: transferPoint..<own.count
        ),
      ]
    }
    let fills = own.indices.filter { own[$0].isFill }
    guard copy != nil, let first = fills.first, let last = fills.last else {
      return [PhaseProgress(.change, planned.own, statements: planned.range)]
    }
    let indexing = own.indices.last { own[$0].isIndexing && $0 > last } ?? last
    let ranges: [(RunPhase, Range<Int>)] = [
      (.prepare, 0..<first), (.copyRows, first..<last + 1),
      (.buildIndexes, last + 1..<indexing + 1),
      (.switch, indexing + 1..<own.count),
    ]
    return ranges.filter { !$0.1.isEmpty }
      .map { PhaseProgress($0.0, own[$0.1].map(\.unit), statements: $0.1) }
  }

  private func sum(_ statements: ArraySlice<PlannedUnits.Statement>) -> Double? {
    statements.reduce(0) { sum, statement in
      sum.flatMap { sum in statement.unit.seconds.map { sum + $0 } }
    }
  }
}

/// The statements of a step, with what the plan expects of each.
struct PlannedUnits {
  struct Statement {
    let unit: WorkUnit
    let work: [RowWork]

    /// Whether it fills a table with rows of others.
    var isFill: Bool { work.contains { if case .fill = $0 { true } else { false } } }
    /// Whether it builds an index or checks references.
    var isIndexing: Bool {
      work.contains {
        switch $0 {
        case .index, .checkReferences, .read: true
        case .rewrite, .change, .delete, .fill, .create, .rename, .drop: false
        }
      }
    }

    /// The table that it fills.
    var filledTable: SQLIdentifier? {
      work.lazy.compactMap { if case .fill(let table, _, _) = $0 { table.name } else { nil } }.first
    }
  }

  /// The name of the copy of another database's rows.
  static let transferName = "rows"

  /// Those that a copy runs in transactions of their own.
  let copying: [Statement]
  /// Those of the step's own transactions.
  let statements: [Statement]
  /// Those that validate foreign keys of copied tables.
  let settling: [Statement]
  /// The deferred work that a release relies on, piece by piece.
  let late: [WorkUnit]

  var own: [WorkUnit] { statements.isEmpty ? [WorkUnit(seconds: 0)] : statements.map(\.unit) }
  var range: Range<Int> { statements.indices }

  init(_ step: MigrationStep, _ forecast: StepForecast?) {
    let all = step.allStatements
    let expected = forecast?.statements ?? []
    let planned = all.enumerated().map { index, statement in
      let forecast = expected.indices.contains(index) ? expected[index] : nil
      let planned = Statement(unit: WorkUnit(), work: statement.rowWork)
      let margin = planned.isIndexing ? Self.indexingShare : Self.usualShare
      return Statement(
        unit: WorkUnit(seconds: forecast?.seconds.map { $0 * margin }, rows: forecast?.rows),
        work: statement.rowWork
      )
    }
    let copied = step.copyStatements.count
    let end = copied + step.statements.count
    copying = Array(planned[..<copied])
    statements = Array(planned[copied..<end])
    let lateCount = step.lateStatements.count
    settling = Array(planned[end..<(planned.count - lateCount)])
    var rest = planned[(planned.count - lateCount)...]
    late = step.deferredWork.compactMap { work in
      let count = work.statements(in: step.destination.projection.schema.name).count
      let seconds = rest.prefix(count).reduce(Double?.some(0)) { sum, statement in
        sum.flatMap { sum in statement.unit.seconds.map { sum + $0 } }
      }
      rest = rest.dropFirst(count)
      return work.phase == .now ? WorkUnit(name: work.summary, seconds: seconds) : nil
    }
  }

  /// Returns the parts of a copy, each with its share of what the plan expects for its table.
  func parts(of copy: CopyPlan, _ isOnline: Bool) -> [WorkUnit] {
    let cost = isOnline ? Self.onlineCost : Self.gatedCost
    let parts = CopyPart.parts(of: copy)
    let fills = Dictionary(grouping: copying.filter(\.isFill)) { $0.filledTable?.name ?? "" }
    return parts.map { part in
      let table = part.sideTable?.name.name ?? part.tableName
      let count = parts.count { ($0.sideTable?.name.name ?? $0.tableName) == table }
      let own = fills[table] ?? []
      let seconds = own.reduce(Double?.some(0)) { sum, fill in
        sum.flatMap { sum in fill.unit.seconds.map { sum + $0 } }
      }
      return WorkUnit(
        name: part.name,
        table: part.tableName,
        seconds: own.isEmpty ? nil : seconds.map { $0 * cost / Double(count) },
        rows: own.first?.unit.rows.map { $0 / max(1, count / own.count) }
      )
    }
  }

  /// Returns the comparisons of the copied tables.
  func comparisons(of copy: CopyPlan, _ parts: [WorkUnit], _ isOnline: Bool) -> [WorkUnit] {
    let share = isOnline ? Self.onlineComparison : Self.gatedComparison
    let tables = copy.tables.filter { table in table.feeds.allSatisfy { $0.insertion == nil } }
    guard !tables.isEmpty else { return [WorkUnit(seconds: 0)] }
    return tables.map { table in
      let filling = parts.filter { $0.table == table.name.name }
      let seconds = filling.reduce(Double?.some(0)) { sum, part in
        sum.flatMap { sum in part.seconds.map { sum + $0 } }
      }
      return WorkUnit(
        name: table.name.name,
        table: table.name.name,
        seconds: seconds.map { $0 * share }
      )
    }
  }

  // MARK: - What is usual

  // Plans are cautious, and a time left has to be likely. Measured on PostgreSQL 15 with two cores
  // and rows of 90 bytes with two indexes of texts: of four million, a copy in ranges took 7.4 s
  // (online) and 5.4 s (gated), indexes 4.0 s, the comparison 10.6 s and 4.7 s; of twenty million
  // beside other work, 75 s, 31 s and 140 s (online).

  /// How long statements take, by the forecast.
  private static let usualShare = 0.67
  /// How long indexes take, which the server builds with several workers.
  private static let indexingShare = 0.3
  /// How much longer a copy takes in ranges than in one statement.
  private static let onlineCost = 1.6
  private static let gatedCost = 1.1
  /// How long the comparison takes, by how long the copy takes.
  private static let onlineComparison = 1.5
  private static let gatedComparison = 1.0
}
