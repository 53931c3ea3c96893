/// The current activity in a database for which a plan would have to wait, as far as the role may
/// see it.
public struct Activity: Hashable, Sendable {
  /// Whether the role sees the sessions of others.
  public let seesOthers: Bool
  /// The current obstacles.
  public let obstacles: [Obstacle]
  /// The longest open transactions, for which a concurrent index build waits.
  public let openTransactions: [Session]
  /// How many rows are written in a second, by table, on average since the statistics began.
  public let rowsWrittenPerSecond: [String: Double]

  /// A session of another process.
  public struct Session: Hashable, Sendable {
    /// The process.
    public let pid: Int
    /// The name of its application.
    public let application: String?
    /// Its role.
    public let user: String?
    /// Whether it works or waits for its application, in the server's words.
    public let state: String?
    /// Since when its transaction is open.
    public let since: String?
    /// For how many seconds it has been.
    public let seconds: Int?
    /// Its current or last query.
    public let query: String?

    /// A Boolean value that indicates whether its transaction waits for the application.
    public var isIdle: Bool { state?.hasPrefix("idle in transaction") == true }
  }

  /// An obstacle.
  public enum Obstacle: Hashable, Sendable {
    /// A session has locks on tables.
    case session(Session, tables: [String])
    /// A prepared transaction has locks on tables.
    case preparedTransaction(name: String, owner: String?, since: String?, tables: [String])
    /// A vacuum that does not give way works on tables.
    case vacuum(Session, tables: [String])
    /// Another migrator of the store has the migration lock.
    case migrator(Session)
  }
}
