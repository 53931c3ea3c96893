import RemodelKit

/// The numbers of stores, by what they count.
struct StoreMetrics {
  private var info = MetricFamily(
    "remodel_run_info",
    .gauge,
    "The store and the versions of the current step, in labels."
  )
  private var phases = MetricFamily(
    "remodel_phase_duration_seconds",
    .gauge,
    "How long each phase has taken, waits included."
  )
  private var shares = MetricFamily(
    "remodel_phase_share",
    .gauge,
    "The finished share of the current phase, from 0 to 1."
  )
  private var remaining = MetricFamily(
    "remodel_run_remaining_seconds",
    .gauge,
    "How long the run still takes, as estimated; absent if unknown."
  )
  private var rows = MetricFamily("remodel_rows_copied_total", .counter, "The copied rows.")
  private var expected = MetricFamily(
    "remodel_rows_expected",
    .gauge,
    "The rows of the current phase in all, as estimated; absent if unknown."
  )
  private var steps = MetricFamily(
    "remodel_steps_committed_total",
    .counter,
    "The committed steps."
  )
  private var retries = MetricFamily(
    "remodel_retries_total",
    .counter,
    "The attempts that were repeated because of the locks of others."
  )
  private var waits = MetricFamily(
    "remodel_wait_seconds_total",
    .counter,
    "How long the run has waited, by the reason."
  )
  private var throttled = MetricFamily(
    "remodel_throttled_seconds_total",
    .counter,
    "For how long the sessions of the run have given way to others."
  )
  private var locks = MetricFamily(
    "remodel_longest_lock_seconds",
    .gauge,
    "The longest time for which a transaction waited for its locks and held them."
  )
  private var gated = MetricFamily(
    "remodel_writers_turned_away_seconds",
    .gauge,
    "For how long writers were turned away."
  )
  private var blocked = MetricFamily(
    "remodel_blocked_sessions",
    .gauge,
    "The most sessions that have waited for a copy at once."
  )

  /// All of them.
  var all: [MetricFamily] {
    [
      info, phases, shares, remaining, rows, expected, steps, retries, waits, throttled, locks,
      gated, blocked,
    ]
  }

  /// Adds the numbers of a store.
  ///
  /// - Parameters:
  ///   - progress: Its progress.
  ///   - time: The time since its run began, in seconds.
  ///   - target: The store among many; `nil` if there is one only.
  mutating func add(_ progress: RunProgress, at time: Double, target: String?) {
    let labels = target.map { [MetricFamily.Label(name: "target", value: $0)] } ?? []
    func with(_ name: String, _ value: String) -> [MetricFamily.Label] {
      labels + [.init(name: name, value: value)]
    }
    if let plan = progress.plan {
      let steps = plan.steps
      let facts = [
        ("database", plan.database), ("schema", plan.schema), ("model", plan.model),
        ("from", progress.versions?.source ?? steps.first?.source?.name ?? ""),
        ("to", progress.versions?.destination ?? steps.last?.destination.name ?? ""),
      ]
      info.add(1, labels + facts.map { .init(name: $0.0, value: $0.1) })
    }
    for (phase, seconds) in progress.times(at: time) {
      phases.add(seconds, with("phase", phase.rawValue))
    }
    if let phase = progress.phase {
      shares.add(phase.share, with("phase", phase.phase.rawValue))
      if phase.rowsDone > 0 { expected.add(phase.rowsTotal.map(Double.init), labels) }
    }
    remaining.add(progress.remaining(at: time), labels)
    rows.add(Double(progress.rows), labels)
    steps.add(Double(progress.committed.count), labels)
    retries.add(Double(progress.retries), labels)
    // Only who watches a job waits for its process.
    for kind in RunWait.Kind.allCases where kind != .worker {
      waits.add(progress.waited(for: kind, at: time), with("reason", kind.rawValue))
    }
    throttled.add(progress.throttled, labels)
    locks.add(progress.longestLock, labels)
    gated.add(progress.gated(at: time), labels)
    blocked.add(Double(progress.blockedSessions), labels)
  }
}
