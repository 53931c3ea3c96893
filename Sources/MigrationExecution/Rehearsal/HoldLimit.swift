internal import PostgresClient
internal import SQLSyntax

/// Until when a transaction that is undone in the end may hold its locks.
struct HoldLimit {
  /// For how long from the first lock on.
  let limit: Duration
  private let deadline: ContinuousClock.Instant
  /// How long we may take between two statements: a server that hears no more of us ends the
  /// transaction then.
  private let silence: Duration

  init(_ limit: Duration) {
    self.limit = limit
    deadline = ContinuousClock.now + limit
    silence = max(.milliseconds(1), min(.seconds(1), limit / 5))
  }

  /// The settings before the first lock.
  func beginning(_ serverVersion: Int) -> [SQLFragment] {
    let settings = renewal ?? ["SET LOCAL statement_timeout = 1"]
    guard serverVersion >= 170_000 else { return settings }
    return settings + ["SET LOCAL transaction_timeout = \(Self.literal(limit))"]
  }

  /// The settings before a further statement, which together with the idle time after it must not
  /// take longer than the rest; `nil` if nothing is left.
  var renewal: [SQLFragment]? {
    let left = ContinuousClock.now.duration(to: deadline) - silence
    guard left >= .milliseconds(1) else { return nil }
    return [
      "SET LOCAL statement_timeout = \(Self.literal(left))",
      "SET LOCAL idle_in_transaction_session_timeout = \(Self.literal(silence))",
      "SET LOCAL client_connection_check_interval = '100ms'",
    ]
  }

  /// Returns whether an error is the server's end of the transaction.
  func hasEnded(_ error: PostgresError) -> Bool {
    let states: [SQLState?] = ["57014", "25P03", "25P04"]
    return states.contains(error.sqlState) && ContinuousClock.now + silence + silence >= deadline
  }

  private static func literal(_ duration: Duration) -> SQLLiteral {
    .integer(max(1, duration.inMilliseconds))
  }
}
