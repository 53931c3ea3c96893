/// Why a step is carried out by one strategy and not by another, where none was given.
public struct StrategyChoice: Hashable, Sendable {
  /// A strategy in which others would not be blocked.
  public struct Candidate: Hashable, Sendable {
    /// The strategy.
    public let strategy: CopyStrategy
    /// The approximate duration of the step in seconds; `nil` if unknown.
    public let seconds: Double?
    /// The peak of additional disk space in bytes; `nil` if unknown.
    public let diskBytes: Int?
    /// Why the step cannot be carried out by it, which begins a sentence; `nil` if it can.
    public let obstacle: String?

    /// The time by which candidates are compared.
    var cost: Double {
      (seconds ?? .infinity) * (strategy == .filled ? 1 : StrategyChoice.fillsPerCopy)
    }

    /// Creates a candidate that is possible.
    package init(_ strategy: CopyStrategy, _ forecast: StepForecast) {
      self.strategy = strategy
      seconds = forecast.seconds
      diskBytes = forecast.peakDiskBytes
      obstacle = nil
    }

    /// Creates a candidate that is not.
    package init(_ strategy: CopyStrategy, obstacle: String) {
      self.strategy = strategy
      seconds = nil
      diskBytes = nil
      self.obstacle = obstacle
    }
  }

  /// For about how many seconds one transaction would block writers.
  public let blockedSeconds: Double
  /// The other strategies, the one that was chosen first.
  public let candidates: [Candidate]

  /// How many times as long a fill may take as a copy.
  ///
  /// A copy needs the disk of a second table until that is cleaned up, writes every change of others
  /// twice, compares all rows with those derived again, and creates all indexes, references and
  /// dependent objects again, which the time of its statements does not show. A fill changes every index of the
  /// table with each row, so that it takes too long where there are many.
  static let fillsPerCopy = 4.0

  /// Creates a choice: the quickest of those that are possible, the first of equals.
  package init(insteadOfBlocking blockedSeconds: Double, _ candidates: [Candidate]) {
    self.blockedSeconds = blockedSeconds
    let possible = candidates.filter { $0.obstacle == nil }
    let quickest = possible.min { first, second in
      first.cost < second.cost
    }
    self.candidates =
      [quickest].compactMap(\.self) + candidates.filter { $0.strategy != quickest?.strategy }
  }

  /// The strategy that was chosen; `nil` if none is possible.
  public var strategy: CopyStrategy? {
    candidates.first.flatMap { $0.obstacle == nil ? $0.strategy : nil }
  }
}
