/// Where the settings of a connection come from.
public enum ConnectionSource: Hashable, Sendable {
  /// A connection URL (`postgresql://user@host:port/database`) or a connection string
  /// (`host=… dbname=…`).
  case url(String)
  /// libpq's own: the `PG*` variables, the service file, the password file.
  case environment
}

// A URL may hold a password, so it is not what a source shows of itself.
extension ConnectionSource: CustomStringConvertible, CustomDebugStringConvertible {
  /// The kind of source, without the URL.
  public var description: String {
    switch self {
    case .url: "connection URL"
    case .environment: "environment"
    }
  }

  /// The same as the description.
  public var debugDescription: String { description }
}
