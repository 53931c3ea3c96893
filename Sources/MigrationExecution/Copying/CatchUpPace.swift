/// The progress of catching up with writers, round by round.
struct CatchUpPace: Hashable {
  /// That more changes come than are copied again, a second.
  struct Shortfall: Hashable {
    var arriving: Int
    var copied: Int
  }

  /// How many changes may be left in the end.
  private let tolerable: Int
  /// Whether constraints of the tables require that all changes are applied at once.
  private let hasConstraints: Bool
  private var backlog = 0
  private var quietRounds = 0
  /// How many rounds in a row have left little, however long they took.
  private var smallRounds = 0
  /// How many rounds in a row have left more than the one before.
  private var losingRounds = 0
  /// How many rounds in a row have left about as much as the one before.
  private var levelRounds = 0

  /// A Boolean value that indicates whether catching up is done.
  private(set) var isDone = false
  /// The shortfall to report after the last round; mostly `nil`.
  private(set) var shortfall: Shortfall?

  /// The number of growing rounds before a shortfall is reported.
  private static let patience = 5
  /// The duration of a round from which on it tells as much as several, in seconds.
  private static let longRound = 10.0

  /// Creates the pace of a job that has just come to catching up.
  init(tolerable: Int, hasConstraints: Bool) {
    self.tolerable = tolerable
    self.hasConstraints = hasConstraints
  }

  /// How many changes the next round takes; all if there is none.
  ///
  /// The more is left the more is taken: changes of one row are one, and a large round costs less for
  /// each of them.
  var limit: Int? { hasConstraints ? nil : max(5_000, min(backlog, 500_000)) }

  /// Records a round.
  ///
  /// - Parameters:
  ///   - taken: The number of changes it applied.
  ///   - left: The number of changes left after it.
  ///   - seconds: Its duration.
  mutating func record(taken: Int, left: Int, seconds: Double) {
    let before = backlog
    backlog = left
    // Half of the limit leaves room for changes until the locks are taken.
    let isSmall = left <= tolerable / 2
    let isQuiet = isSmall && seconds < 1
    smallRounds = isSmall ? smallRounds + 1 : 0
    quietRounds = isQuiet ? quietRounds + 1 : 0
    losingRounds = left > before && !isQuiet ? losingRounds + 1 : 0
    levelRounds = left * 10 > before * 9 && !isQuiet ? levelRounds + 1 : 0
    shortfall = nil
    // What the first round leaves is no measure: the changes before it have no time.
    let isTelling = seconds >= Self.longRound && losingRounds > 1
    if isTelling || losingRounds > 0 && losingRounds.isMultiple(of: Self.patience) {
      let arriving = Double(max(0, left - before + taken)) / max(seconds, 0.001)
      shortfall = Shortfall(
        arriving: Int(arriving),
        copied: Int(Double(taken) / max(seconds, 0.001))
      )
    }
    // Before there are indexes, waiting for a pause of the writers gains nothing: building the
    // indexes lets more changes accumulate.
    let hasLevelledOff = !hasConstraints && (quietRounds > 0 || levelRounds > 2)
    // With a distant server a round takes long even if it has little to do.
    isDone = left == 0 || quietRounds > 2 || smallRounds > 9 || hasLevelledOff
  }
}
