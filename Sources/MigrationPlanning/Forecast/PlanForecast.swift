public import SQLSyntax

/// The cost of a plan and the time that it blocks others, estimated from the sizes of the tables.
///
/// It is a pure function of the steps and the sizes. An estimate that depends on an unknown size is
/// unknown, never zero.
public struct PlanForecast: Hashable, Sendable {
  /// The forecast of each step, in the order of the plan.
  public let steps: [StepForecast]

  /// Creates the forecast of some steps.
  ///
  /// - Parameters:
  ///   - steps: The steps.
  ///   - sizes: The sizes of the tables before the first step, by name.
  package init(of steps: [MigrationStep], sizes: TableSizes) {
    var state = ForecastState(sizes: sizes, schema: steps.first?.source?.projection.schema.name)
    self.steps = steps.map { state.carryOut($0) }
  }

  /// The longest time that a table is blocked.
  public var longestWait: BlockedTime {
    max(longestRead?.readers ?? .none, longestWrite?.writers ?? .none)
  }

  /// The table that blocks readers longest; `nil` if none does.
  public var longestRead: TableBlock? {
    steps.compactMap(\.longestRead).max { $0.readers < $1.readers }
  }

  /// The table that blocks writers longest; `nil` if none does.
  public var longestWrite: TableBlock? {
    steps.compactMap(\.longestWrite).max { $0.writers < $1.writers }
  }

  /// The approximate duration of the statements in seconds; `nil` if unknown.
  public var seconds: Double? { sum(steps.map(\.seconds)) }
  /// The peak of additional disk space in bytes; `nil` if unknown.
  public var peakDiskBytes: Int? {
    steps.contains { $0.peakDiskBytes == nil } ? nil : steps.compactMap(\.peakDiskBytes).max() ?? 0
  }
  /// The bytes of write-ahead log; `nil` if unknown.
  public var logBytes: Int? { sum(steps.map(\.logBytes)) }
}

/// The cost of a step, and the time that it blocks others.
public struct StepForecast: Hashable, Sendable {
  /// The forecast of each statement, in the order of ``MigrationStep/allStatements``.
  public internal(set) var statements: [StatementForecast]
  /// The tables that others wait for, in the order of their names.
  public internal(set) var blocks: [TableBlock]
  /// The peak of additional disk space in bytes since the beginning of the first step; `nil` if
  /// unknown.
  public internal(set) var peakDiskBytes: Int?
  /// What triggers that keep tables in step cost afterwards.
  package internal(set) var triggerCosts: [TriggerCost] = []

  /// The approximate duration of the statements in seconds; `nil` if unknown.
  public var seconds: Double? { sum(statements.map(\.seconds)) }
  /// The bytes of write-ahead log; `nil` if unknown.
  public var logBytes: Int? { sum(statements.map(\.logBytes)) }

  /// The table that blocks readers longest; `nil` if none does.
  public var longestRead: TableBlock? {
    blocks.filter { $0.readers > .none }.max { $0.readers < $1.readers }
  }
  /// The table that blocks writers longest; `nil` if none does.
  public var longestWrite: TableBlock? {
    blocks.filter { $0.writers > .none }.max { $0.writers < $1.writers }
  }
}

/// The cost of a statement; unknown numbers are `nil`.
public struct StatementForecast: Hashable, Sendable {
  /// For about how long it runs.
  public internal(set) var seconds: Double?
  /// The rows that it reads.
  public internal(set) var rows: Int?
  /// The bytes that it reads.
  public internal(set) var bytes: Int?
  /// The bytes that it adds on disk.
  public internal(set) var writtenBytes: Int?
  /// The bytes of write-ahead log.
  public internal(set) var logBytes: Int?
  /// The rows that lose values for good; none if none do.
  public internal(set) var rowsAtRisk: RowsAtRisk?
  /// Whether it reads a table that is not known to be small.
  public internal(set) var isLong = false
  /// The hazards of the statement; small tables have none that depend on time.
  public internal(set) var hazards: [Hazard] = []
}

/// How many rows lose values for good, at most.
public enum RowsAtRisk: Hashable, Sendable {
  /// About so many.
  case about(Int)
  /// As many as a table of unknown size has.
  case notKnown

  /// The number; `nil` if unknown.
  public var count: Int? {
    switch self {
    case .about(let count): count
    case .notKnown: nil
    }
  }
}

/// For how long others wait for a table.
public struct TableBlock: Hashable, Sendable {
  /// The table, by its name before the plan; a new one, by its own name.
  public let table: QualifiedName
  /// The strongest lock.
  public internal(set) var lock: LockMode
  /// The time for which readers are blocked.
  public internal(set) var readers: BlockedTime
  /// The time for which writers are blocked.
  public internal(set) var writers: BlockedTime
  /// The statement of ``MigrationStep/allStatements`` that takes the longest part of that.
  public internal(set) var longestStatement: Int?
}

/// The time for which a table is blocked, in ascending order.
public enum BlockedTime: Hashable, Sendable {
  /// Not at all.
  case none
  /// For about so many seconds.
  case about(Double)
  /// As long as a table of unknown size takes.
  case notKnown
}

extension BlockedTime: Comparable {
  /// Returns whether the first time is certainly shorter; unknown times are last.
  public static func < (first: Self, second: Self) -> Bool {
    switch (first, second) {
    case (.none, .none), (.notKnown, _), (.about, .none): false
    case (.none, .about), (.none, .notKnown), (.about, .notKnown): true
    case (.about(let first), .about(let second)): first < second
    }
  }
}

/// Returns a sum, if all of it is known.
func sum<Number: AdditiveArithmetic>(_ values: [Number?]) -> Number? {
  values.reduce(.zero) { sum, value in
    guard let sum, let value else { return nil }
    return sum + value
  }
}
