public import SQLSyntax

/// Where the settings of a connection come from, and in whose name its sessions work.
public struct ConnectionSource: Hashable, Sendable {
  enum Settings: Hashable, Sendable {
    case url(String)
    case environment
  }

  let settings: Settings

  /// The role that every session takes on after its login, by `SET ROLE`; that of the login if there
  /// is none.
  public var role: SQLIdentifier?

  /// A connection URL (`postgresql://user@host:port/database`) or a connection string
  /// (`host=… dbname=…`).
  public static func url(_ url: String) -> ConnectionSource {
    ConnectionSource(settings: .url(url))
  }

  /// libpq's own: the `PG*` variables, the service file, the password file.
  public static let environment = ConnectionSource(settings: .environment)

  private init(settings: Settings) {
    self.settings = settings
  }

  /// Returns the same source for sessions that take on a role after their login.
  ///
  /// - Parameter role: The role; that of the login if it is `nil`.
  /// - Returns: The source.
  public func assuming(_ role: SQLIdentifier?) -> ConnectionSource {
    var source = self
    source.role = role
    return source
  }
}

extension ConnectionSource {
  /// A Boolean value that indicates whether what stands for a host may be anything: the URL has neither a
  /// user nor a database.
  var mayBeSecret: Bool {
    guard case .url(let url) = settings, let scheme = url.firstRange(of: "://") else {
      return false
    }
    let location = url[scheme.upperBound...].prefix { $0 != "?" }
    return !location.contains("@") && location.split(separator: "/").count < 2
  }
}

// A URL may hold a password, so it is not what a source shows of itself.
extension ConnectionSource: CustomStringConvertible, CustomDebugStringConvertible {
  /// The kind of source, without the URL.
  public var description: String {
    switch settings {
    case .url: "connection URL"
    case .environment: "environment"
    }
  }

  /// The same as the description.
  public var debugDescription: String { description }
}
