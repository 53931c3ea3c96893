/// What the server or libpq complains about, with all that they say about it.
public struct PostgresError: Error, Hashable, Sendable {
  /// Who complains, and when.
  public enum Kind: Hashable, Sendable {
    /// No server was reached, or it does not accept connections yet.
    case connection
    /// The server was reached and refused the login.
    case authentication
    /// The connection's settings are not ones that libpq can use.
    case malformedURL
    /// What is between here and the server makes no sessions that can be relied upon.
    case pooler
    /// The role that sessions are to work as cannot be taken on.
    case role
    /// The server refused a statement.
    case server
    /// The connection ended; what became of the last statement is not known.
    case connectionLost
  }

  /// Who complains, and when.
  public var kind: Kind
  /// The error's code.
  public var sqlState: SQLState?
  /// What happened, in one line.
  public var message: String
  /// More facts; of a violated constraint it has values of the row, which diagnostics leave out.
  public var detail: String?
  /// What to do.
  public var hint: String?
  /// What the server was doing.
  public var serverContext: String?
  /// The schema of the table, type or constraint that this is about.
  public var schemaName: String?
  /// The table that this is about.
  public var tableName: String?
  /// The column that this is about.
  public var columnName: String?
  /// The constraint that this is about.
  public var constraintName: String?
  /// The statement, without its parameters' values.
  public var statement: String?

  /// Creates an error.
  public init(
    _ kind: Kind,
    _ message: String,
    sqlState: SQLState? = nil,
    detail: String? = nil,
    hint: String? = nil
  ) {
    self.kind = kind
    self.message = message
    self.sqlState = sqlState
    self.detail = detail
    self.hint = hint
  }

  /// A Boolean value that indicates whether another attempt to connect may find the server ready.
  public var isServerNotReady: Bool { kind == .connection }
}
