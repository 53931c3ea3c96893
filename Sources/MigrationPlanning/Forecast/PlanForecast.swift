public import SQLSyntax

/// What a plan costs and how long it keeps others waiting, as far as the sizes of the tables tell.
///
/// It is a pure function of the steps and the sizes. What depends on a table whose size nobody knows is
/// not known; it is never taken for nothing.
public struct PlanForecast: Hashable, Sendable {
  /// What each step comes to, in the order of the plan.
  public let steps: [StepForecast]

  /// Foretells what steps come to.
  ///
  /// - Parameters:
  ///   - steps: The steps.
  ///   - sizes: The sizes of the tables that are there before them, by name.
  public init(of steps: [MigrationStep], sizes: [String: TableSize]) {
    var state = ForecastState(sizes: sizes, schema: steps.first?.source?.projection.schema.name)
    self.steps = steps.map { state.carryOut($0) }
  }

  /// The longest that somebody waits for a table.
  public var longestWait: BlockedTime {
    max(longestRead?.readers ?? .none, longestWrite?.writers ?? .none)
  }

  /// Where readers wait longest; none if they never do.
  public var longestRead: TableBlock? {
    steps.compactMap(\.longestRead).max { $0.readers < $1.readers }
  }

  /// Where writers wait longest; none if they never do.
  public var longestWrite: TableBlock? {
    steps.compactMap(\.longestWrite).max { $0.writers < $1.writers }
  }

  /// For about how many seconds the statements run; none if nobody knows.
  public var seconds: Double? { sum(steps.map(\.seconds)) }
  /// The most bytes of disk that are taken at a time besides what is there; none if nobody knows.
  public var peakDiskBytes: Int? {
    steps.contains { $0.peakDiskBytes == nil } ? nil : steps.compactMap(\.peakDiskBytes).max() ?? 0
  }
  /// The bytes of write-ahead log that are written; none if nobody knows.
  public var logBytes: Int? { sum(steps.map(\.logBytes)) }
}

/// What a step costs and how long it keeps others waiting.
public struct StepForecast: Hashable, Sendable {
  /// What each statement comes to, in the order of ``MigrationStep/allStatements``.
  public internal(set) var statements: [StatementForecast]
  /// The tables that others wait for, in the order of their names.
  public internal(set) var blocks: [TableBlock]
  /// The most bytes of disk that are taken at a time, earlier steps included, besides what was there
  /// before the first one; none if nobody knows.
  public internal(set) var peakDiskBytes: Int?

  /// For about how many seconds the statements run; none if nobody knows.
  public var seconds: Double? { sum(statements.map(\.seconds)) }
  /// The bytes of write-ahead log that are written; none if nobody knows.
  public var logBytes: Int? { sum(statements.map(\.logBytes)) }

  /// Where readers wait longest; none if they never do.
  public var longestRead: TableBlock? {
    blocks.filter { $0.readers > .none }.max { $0.readers < $1.readers }
  }
  /// Where writers wait longest; none if they never do.
  public var longestWrite: TableBlock? {
    blocks.filter { $0.writers > .none }.max { $0.writers < $1.writers }
  }
}

/// What a statement costs; what nobody knows is `nil`.
public struct StatementForecast: Hashable, Sendable {
  /// For about how long it runs.
  public internal(set) var seconds: Double?
  /// The rows that it goes through.
  public internal(set) var rows: Int?
  /// The bytes that it goes through.
  public internal(set) var bytes: Int?
  /// The bytes that it adds on disk.
  public internal(set) var writtenBytes: Int?
  /// The bytes of write-ahead log.
  public internal(set) var logBytes: Int?
  /// The rows that lose values for good; none if none do.
  public internal(set) var rowsAtRisk: RowsAtRisk?
  /// Whether it goes through a table that is not known to be small.
  public internal(set) var isLong = false
  /// What may hurt about it: small tables hurt nobody by the time that they take.
  public internal(set) var hazards: [Hazard] = []
}

/// How many rows lose values for good, at most.
public enum RowsAtRisk: Hashable, Sendable {
  /// About so many.
  case about(Int)
  /// As many as a table has whose size nobody knows.
  case notKnown

  /// The number; none if nobody knows.
  public var count: Int? {
    switch self {
    case .about(let count): count
    case .notKnown: nil
    }
  }
}

/// For how long others wait for a table.
public struct TableBlock: Hashable, Sendable {
  /// The table, as it is called before the plan; as the plan calls it where it makes it.
  public let table: QualifiedName
  /// The strongest lock.
  public internal(set) var lock: LockMode
  /// For how long nobody reads it.
  public internal(set) var readers: BlockedTime
  /// For how long nobody writes to it.
  public internal(set) var writers: BlockedTime
  /// The statement of ``MigrationStep/allStatements`` that takes the longest part of that.
  public internal(set) var longestStatement: Int?
}

/// For how long somebody waits, in ascending order.
public enum BlockedTime: Hashable, Sendable {
  /// Not at all.
  case none
  /// For about so many seconds.
  case about(Double)
  /// For as long as a table takes whose size nobody knows.
  case notKnown
}

extension BlockedTime: Comparable {
  /// Returns whether the first time is certainly shorter; what is not known comes last.
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
