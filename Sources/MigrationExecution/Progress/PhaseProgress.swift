/// How far a phase is.
package struct PhaseProgress: Sendable {
  /// The phase.
  package let phase: RunPhase
  /// When it began, in seconds since the run began.
  package private(set) var begin: Double?
  /// When it ended.
  package private(set) var end: Double?
  var units: [WorkUnit]
  /// The statements of the step's own that it consists of; `nil` if it has none.
  let statements: Range<Int>?
  /// The highest share so far: new parts do not lower it.
  private var highest = 0.0
  /// The copied rows at some times of late.
  private var recent: [(time: Double, rows: Int)] = []

  init(
    _ phase: RunPhase,
    _ units: [WorkUnit] = [WorkUnit(seconds: 0)],
    statements: Range<Int>? = nil
  ) {
    self.phase = phase
    self.units = units
    self.statements = statements
  }

  // MARK: - Events

  mutating func start(at time: Double) {
    if begin == nil { begin = time }
    // No event tells of a unit without a name that is all of its phase.
    if units.count == 1, units[0].name == nil { units[0].start(at: time) }
  }

  mutating func finish(at time: Double) {
    start(at: time)
    guard end == nil else { return }
    end = time
    for index in units.indices { units[index].finish(at: time) }
  }

  /// Begins a unit, and ends those before it.
  mutating func startUnit(_ index: Int, at time: Double) {
    guard units.indices.contains(index) else { return }
    // Those before the last finished one are finished, too.
    for earlier in (0..<index).reversed() {
      if units[earlier].end != nil { break }
      units[earlier].finish(at: time)
    }
    units[index].start(at: time)
  }

  /// Returns the place of a unit by its name; a new one if there is none.
  mutating func unit(named name: String) -> Int {
    if let known = units.firstIndex(where: { $0.name == name }) { return known }
    highest = share
    units.append(WorkUnit(name: name))
    return units.count - 1
  }

  /// Notes how many rows are copied, for the rate.
  mutating func noteRate(at time: Double) {
    recent.append((time, rowsDone))
    recent.removeAll { time - $0.time > 10 }
    if recent.count > 64 { recent.removeFirst(recent.count - 64) }
  }

  // MARK: - Facts

  /// The seconds that the plan expects; `nil` if unknown.
  package var seconds: Double? {
    units.reduce(0) { sum, unit in sum.flatMap { sum in unit.seconds.map { sum + $0 } } }
  }

  /// The finished share.
  package var share: Double { max(highest, currentShare) }

  private var currentShare: Double {
    if end != nil { return 1 }
    let total = seconds ?? 0
    // Parts of unknown size count the same.
    let weights = units.map { total > 0 ? $0.seconds ?? 0 : 1 }
    let sum = weights.reduce(0, +)
    guard sum > 0 else { return 0 }
    return min(1, zip(units, weights).reduce(0) { $0 + $1.0.share * $1.1 } / sum)
  }

  /// Whether its share is known before its end.
  package var isMeasured: Bool {
    units.count > 1 || units.contains { $0.rangesTotal != nil }
  }

  /// The rows that this process has copied.
  var rowsCopied: Int { units.reduce(0) { $0 + $1.copiedRows } }

  /// The copied rows, those of earlier processes included.
  package var rowsDone: Int { units.reduce(0) { $0 + $1.rowsDone } }

  /// The rows in all; `nil` if unknown.
  package var rowsTotal: Int? {
    units.reduce(0) { sum, unit in sum.flatMap { sum in unit.rowsTotal.map { sum + $0 } } }
  }

  /// The rows that were copied in a second lately; `nil` if unknown.
  package var rowsPerSecond: Double? {
    guard let first = recent.first, let last = recent.last, last.time > first.time else {
      return nil
    }
    return Double(last.rows - first.rows) / (last.time - first.time)
  }

  /// How long it has taken, in seconds.
  package func elapsed(at time: Double) -> Double {
    begin.map { max(0, (end ?? time) - $0) } ?? 0
  }

  func remaining(at time: Double, scale: Double) -> Double? {
    if end != nil { return 0 }
    return units.reduce(0) { sum, unit in
      sum.flatMap { sum in unit.remaining(at: time, scale: scale).map { sum + $0 } }
    }
  }
}
