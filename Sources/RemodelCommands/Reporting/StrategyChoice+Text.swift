internal import MigrationPlanning

extension StrategyChoice {
  /// Why the strategy was chosen, in a line.
  var sentence: String {
    let ways = candidates.map { candidate -> String in
      let name = candidate.strategy.rawValue
      if let obstacle = candidate.obstacle { return "\(name) is not possible: \(obstacle)" }
      let time = candidate.seconds.map { "about \(wholeSeconds($0))" } ?? "an unknown time"
      let space = candidate.diskBytes.map { "up to \(byteCount($0)) more" } ?? "unknown space"
      return "\(name) takes \(time) and \(space)"
    }
    return "one transaction would block writers for about \(wholeSeconds(blockedSeconds)); "
      + ways.joined(separator: "; ")
  }

  private func wholeSeconds(_ seconds: Double) -> String { "\(Int(seconds.rounded(.up))) s" }
}
