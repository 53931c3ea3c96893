import ArgumentParser
import RemodelKit
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The numbers of a call, of one store or of many.
final class RunMetrics: Sendable {
  /// The end of a call.
  struct End: Sendable {
    let status: ExitStatus
    /// What it came to, in a word.
    let outcome: String
  }

  private struct Store {
    /// The store among many; `nil` if there is one only.
    let target: String?
    let record: RunRecord
    var hasFailed: Bool?
  }

  private struct State {
    var stores: [Store] = []
    var done = 0
    var failed = 0
    var written: ContinuousClock.Instant?
  }

  private let state = Mutex(State())
  private let verb: String
  private let file: MetricsFile
  private let begin = ContinuousClock.now
  private let beginTime = Date.now.timeIntervalSince1970

  /// More stores than that are counted, and have no numbers of their own.
  private static let storeLimit = 200
  private static let pause = Duration.seconds(10)

  /// Creates the metrics of a call that begins.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - verb: The name of the verb.
  init(to path: String, verb: String) {
    self.verb = verb
    file = MetricsFile(path: path)
  }

  // MARK: - Stores

  /// Adds a store whose numbers are told.
  func add(_ target: String?, _ record: RunRecord) {
    state.withLock { state in
      state.stores.append(Store(target: target, record: record))
      guard state.stores.count > Self.storeLimit else { return }
      // Those that went well matter least.
      let least =
        state.stores.firstIndex { $0.hasFailed == false }
        ?? state.stores.firstIndex { $0.hasFailed == true }
      if let least { state.stores.remove(at: least) }
    }
  }

  /// Notes that a store among many is done.
  func end(_ record: RunRecord, hasFailed: Bool) {
    state.withLock { state in
      if hasFailed { state.failed += 1 } else { state.done += 1 }
      guard let index = state.stores.firstIndex(where: { $0.record === record }) else { return }
      state.stores[index].hasFailed = hasFailed
    }
  }

  // MARK: - Writing

  /// Writes the numbers if it is time to.
  ///
  /// - Returns: The reason if they could not be written.
  func writeIfDue() -> String? {
    let isDue = state.withLock { state in
      let now = ContinuousClock.now
      if let written = state.written, now - written < Self.pause { return false }
      state.written = now
      return true
    }
    return isDue ? file.write(text()) : nil
  }

  /// Writes the numbers at the end.
  ///
  /// - Returns: The reason if they could not be written.
  func write(_ end: End) -> String? { file.write(text(end)) }

  /// Returns the numbers in Prometheus' text format.
  func text(_ end: End? = nil) -> String {
    let state = state.withLock { $0 }
    return (ofCall(end, state) + ofStores(state.stores)).map(\.text).joined()
  }

  private func ofCall(_ end: End?, _ state: State) -> [MetricFamily] {
    var start = MetricFamily(
      "remodel_run_start_time_seconds",
      .gauge,
      "When the run began, in seconds since 1970."
    )
    start.add(beginTime, [.init(name: "verb", value: verb)])
    var running = MetricFamily("remodel_run_in_progress", .gauge, "Whether the run goes on.")
    running.add(end == nil ? 1 : 0)
    var duration = MetricFamily(
      "remodel_run_duration_seconds",
      .gauge,
      "How long the run has taken."
    )
    duration.add(begin.duration(to: .now).milliseconds / 1_000)
    var families = [start, running, duration]
    if state.done + state.failed > 0 || state.stores.contains(where: { $0.target != nil }) {
      var stores = MetricFamily("remodel_stores", .gauge, "The stores of the run by their state.")
      let running = state.stores.count { $0.hasFailed == nil && $0.target != nil }
      for (name, count) in [("done", state.done), ("failed", state.failed), ("running", running)] {
        stores.add(Double(count), [.init(name: "state", value: name)])
      }
      families.append(stores)
    }
    guard let end else { return families }
    var time = MetricFamily(
      "remodel_run_end_time_seconds",
      .gauge,
      "When the run ended, in seconds since 1970."
    )
    time.add(Date.now.timeIntervalSince1970)
    var code = MetricFamily("remodel_run_exit_code", .gauge, "The exit code of the run.")
    code.add(Double(end.status.rawValue))
    var success = MetricFamily("remodel_run_success", .gauge, "Whether the exit code is 0.")
    success.add(end.status == .success ? 1 : 0)
    var outcome = MetricFamily(
      "remodel_run_outcome_info",
      .gauge,
      "What the run came to, in a label."
    )
    outcome.add(1, [.init(name: "outcome", value: end.outcome)])
    return families + [time, code, success, outcome]
  }

  private func ofStores(_ stores: [Store]) -> [MetricFamily] {
    var families = StoreMetrics()
    for store in stores where store.record.hasBegun {
      store.record.read { families.add($0, at: $1, target: store.target) }
    }
    return families.all
  }
}

extension RunMetrics.End {
  /// Creates the end of a call with a result.
  init(_ result: VerbResult) {
    let migration = result.status == .success ? result.report as? MigrationReport : nil
    let outcome = migration?.outcome.rawValue ?? result.status.outcome
    self.init(status: result.status, outcome: outcome)
  }

  /// Creates the end of a call that failed.
  init(_ error: any Error) {
    let code = (error as? ExitCode)?.rawValue
    let status = code.flatMap { ExitStatus(rawValue: $0) } ?? ExitStatus(error)
    self.init(status: status, outcome: status.outcome)
  }
}

extension ExitStatus {
  /// What a call came to, in a word.
  fileprivate var outcome: String {
    switch self {
    case .success: "done"
    case .difference: "different"
    case .refused: "refused"
    case .unfinishedJob: "unfinished"
    case .interrupted, .terminated: "interrupted"
    case .failure, .noMapping, .notOurs, .notAvailable, .unreachable, .dataNotAllowed, .usage,
      .invalidFile:
      "failed"
    }
  }
}
