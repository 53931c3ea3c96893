public import Diagnostics
public import MigrationExecution

/// The results of many stores.
public struct TargetsReport<Report: Sendable>: Sendable {
  /// The result of each store, in the order in which they were given; of a store that was given twice, once.
  public let results: [TargetResult<Report>]
  /// The warnings about the files, which are the same for all stores.
  public let warnings: [Diagnostic]

  /// Returns the same results with other reports.
  package func map<Other>(_ transform: (Report) -> Other) -> TargetsReport<Other> {
    TargetsReport<Other>(results: results.map { $0.map(transform) }, warnings: warnings)
  }
}

/// The result of one store of many.
public struct TargetResult<Report: Sendable>: Sendable {
  /// The outcome of the work on a store.
  public enum Outcome: Sendable {
    /// It is done, with the report that it would have had alone.
    case done(Report)
    /// Why it failed, with the error that it would have had alone.
    case failed(any Error)
    /// It was begun and ended by the interruption, at a point that a rerun continues from.
    case interrupted(any Error)
    /// The interruption came before it was begun.
    case notStarted
    /// It was not to be begun: it is none of the first stores, or too many had failed.
    case leftOut
  }

  /// The store; a database in which no schemas could be found stands for all of them.
  public let target: MigrationTarget
  /// The outcome.
  public let outcome: Outcome
  /// How long it took.
  public let duration: Duration

  /// The report; none if the work failed or was not begun.
  public var report: Report? {
    if case .done(let report) = outcome { report } else { nil }
  }

  /// Why the work failed; none if it is done, or was not begun.
  public var error: (any Error)? {
    switch outcome {
    case .failed(let error), .interrupted(let error): error
    case .done, .notStarted, .leftOut: nil
    }
  }
}

extension TargetResult {
  /// Returns the same result with another report.
  func map<Other>(_ transform: (Report) -> Other) -> TargetResult<Other> {
    let outcome: TargetResult<Other>.Outcome =
      switch outcome {
      case .done(let report): .done(transform(report))
      case .failed(let error): .failed(error)
      case .interrupted(let error): .interrupted(error)
      case .notStarted: .notStarted
      case .leftOut: .leftOut
      }
    return TargetResult<Other>(target: target, outcome: outcome, duration: duration)
  }
}

/// The events of the work on many stores, for reporters and logs.
public enum TargetEvent: Sendable {
  /// The number of known stores; a database that is still to be searched counts as one.
  case found(Int)
  /// A store is one that an earlier target means, too, and is left to that.
  case repeated(MigrationTarget)
  /// Something happens to a store.
  case happened(MigrationEvent, MigrationTarget)
  /// A store is done with; if something went wrong, with the error.
  case ended(MigrationTarget, (any Error)?)
}
