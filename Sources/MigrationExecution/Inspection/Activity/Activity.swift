/// What goes on in a database now that a plan would have to wait for, as far as the role may know.
public struct Activity: Hashable, Sendable {
  /// Whether the role sees what others do.
  public let seesOthers: Bool
  /// What stands in the way now.
  public let obstacles: [Obstacle]
  /// The transactions that are open longest; whoever builds an index beside the service waits for them.
  public let openTransactions: [Session]
  /// How many rows are written in a second, by table, on average since the statistics began.
  public let rowsWrittenPerSecond: [String: Double]

  /// A session of somebody else.
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
    /// What it runs or ran last.
    public let query: String?

    /// A Boolean value that indicates whether its transaction waits for the application.
    public var isIdle: Bool { state?.hasPrefix("idle in transaction") == true }
  }

  /// Something that stands in the way.
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
