/// A piece of a phase whose progress is known by itself: a statement, or a part of a copy, which is
/// divided into ranges.
struct WorkUnit: Sendable {
  /// The name by which events speak of it; none for a statement.
  let name: String?
  /// The table that it fills or compares.
  let table: String?
  /// The seconds that the plan expects; `nil` if unknown.
  let seconds: Double?
  /// The rows that the plan expects; `nil` if unknown.
  let rows: Int?

  /// When it began, in seconds since the run began.
  private(set) var begin: Double?
  /// When it ended.
  private(set) var end: Double?
  /// The finished share.
  private(set) var share = 0.0
  /// The share that was finished before this process began with it.
  private var earlierShare = 0.0
  /// When the share was known last; `nil` if only its end shows.
  private var measured: Double?
  /// The seconds for which it has given way to others.
  var throttled = 0.0
  private(set) var rangesDone = 0
  private(set) var rangesTotal: Int?
  /// The rows and ranges of this process, those before its last connection included.
  private var copied = (rows: 0, ranges: 0)
  private var copiedBefore = (rows: 0, ranges: 0)
  private var knownRows: Int?

  init(
    name: String? = nil,
    table: String? = nil,
    seconds: Double? = nil,
    rows: Int? = nil
  ) {
    self.name = name
    self.table = table
    self.seconds = seconds
    self.rows = rows
  }

  /// The share of a unit from which on its own pace decides alone.
  private static let sufficientShare = 0.05

  /// How much the measured pace counts, from 0 to 1.
  private var evidence: Double { min(1, (share - earlierShare) / Self.sufficientShare) }

  // MARK: - Events

  mutating func start(at time: Double) {
    if begin == nil { begin = time }
  }

  /// Ends it; what never began here was done before.
  mutating func finish(at time: Double) {
    guard end == nil else { return }
    if begin == nil { earlierShare = 1 }
    start(at: time)
    end = time
    share = 1
  }

  /// Notes how many ranges are done; a share never falls, even if ranges are divided.
  mutating func note(ranges: Int, of total: Int, at time: Double) {
    start(at: time)
    rangesDone = max(rangesDone, ranges)
    rangesTotal = max(total, rangesDone)
    measure(Double(ranges) / Double(max(1, total)), at: time)
  }

  /// Notes how far a copy is.
  mutating func note(_ progress: MigrationEvent.CopyProgress, at time: Double) {
    if begin == nil {
      begin = max(0, time - progress.duration.inSeconds)
      let earlier = progress.chunksDone - progress.chunksCopied
      earlierShare = Double(max(0, earlier)) / Double(max(1, progress.chunksTotal))
      share = earlierShare
    }
    // Another connection counts from the beginning again.
    if progress.chunksCopied < copied.ranges {
      copiedBefore.rows += copied.rows
      copiedBefore.ranges += copied.ranges
    }
    copied = (progress.rows, progress.chunksCopied)
    knownRows = progress.rowsTotal
    if let knownRows, knownRows > 0 {
      measure(Double(progress.rows) / Double(knownRows), at: time)
      rangesTotal = progress.chunksTotal
      rangesDone = progress.chunksDone
    } else {
      note(ranges: progress.chunksDone, of: progress.chunksTotal, at: time)
    }
    if progress.chunksDone >= progress.chunksTotal { finish(at: time) }
  }

  /// Notes how far somebody else's copy is, by the metadata.
  mutating func note(_ progress: CopyJob.Progress, at time: Double) {
    let total = max(1, progress.chunksTotal)
    if begin == nil {
      begin = time
      earlierShare = min(1, Double(progress.chunksDone) / Double(total))
      share = earlierShare
    }
    copied = (progress.rowsCopied, progress.chunksDone)
    note(ranges: progress.chunksDone, of: total, at: time)
  }

  private mutating func measure(_ value: Double, at time: Double) {
    share = max(share, min(1, value))
    measured = time
  }

  // MARK: - Rows

  /// The rows that this process has copied.
  var copiedRows: Int { copiedBefore.rows + copied.rows }
  private var copiedRanges: Int { copiedBefore.ranges + copied.ranges }

  /// The copied rows, those of earlier processes as far as their ranges tell.
  var rowsDone: Int {
    guard earlierShare > 0, copiedRanges > 0 else { return copiedRows }
    return Int((Double(copiedRows) / Double(copiedRanges) * Double(rangesDone)).rounded())
  }

  /// The rows in all, as they are expected; `nil` if unknown.
  var rowsTotal: Int? {
    if end != nil { return rowsDone }
    if let knownRows { return max(knownRows, rowsDone) }
    // Tables of a transfer are no ranges of the same size.
    if name == PlannedUnits.transferName { return nil }
    guard copiedRanges > 0, let rangesTotal else { return rows.map { max($0, rowsDone) } }
    let projected = Double(copiedRows) / Double(copiedRanges) * Double(rangesTotal)
    let expected = rows.map(Double.init) ?? projected
    let mean = evidence * projected + (1 - evidence) * expected
    return max(rowsDone, Int(mean.rounded()))
  }

  // MARK: - Time

  /// The seconds that the plan expected for what is done, and those that it took; `nil` if nothing
  /// is known of it.
  var pace: (expected: Double, actual: Double)? {
    guard let seconds, let begin, let last = end ?? measured else { return nil }
    let expected = seconds * (share - earlierShare)
    guard expected > 0 else { return nil }
    return (expected, max(0, last - begin - throttled))
  }

  /// Returns how many seconds it still takes.
  ///
  /// - Parameters:
  ///   - time: The time.
  ///   - scale: How much longer work takes than the plan expected.
  /// - Returns: The seconds; `nil` if unknown.
  func remaining(at time: Double, scale: Double) -> Double? {
    if end != nil { return 0 }
    let expected = seconds.map { $0 * scale }
    guard let begin else { return expected }
    guard let measured, share > earlierShare else {
      guard let expected else { return nil }
      guard expected > 0 else { return 0 }
      let elapsed = time - begin
      // Of what takes much longer than expected, nobody knows how long it takes.
      return elapsed > 1.5 * expected + 2 ? nil : max(0, expected - elapsed)
    }
    let own = (measured - begin) * (1 - share) / (share - earlierShare)
    let planned = expected.map { $0 * (1 - share) } ?? own
    return max(0, evidence * own + (1 - evidence) * planned - (time - measured))
  }
}
