import CPostgreSQL
public import Diagnostics
package import SQLSyntax
internal import Synchronization

/// A connection to a server, which ends with this value; every call waits for the server.
///
/// A connection is not for several threads at once: `PostgresSession` gives it a thread of its own.
public struct PostgresConnection: ~Copyable {
  let handle: OpaquePointer
  let source: ConnectionSource
  private let notices: NoticeReceiver
  private let hasPooler = Atomic(false)

  /// Connects to a server.
  ///
  /// - Parameters:
  ///   - source: Where the settings come from.
  ///   - wait: For how long to try again while the server does not accept connections.
  ///   - onNotice: Gets the server's notices; without it they are dropped.
  /// - Throws: An error of the kinds `connection`, `authentication` and `malformedURL`.
  public init(
    to source: ConnectionSource,
    wait: Duration = .zero,
    onNotice: ((Diagnostic) -> Void)? = nil
  ) throws(PostgresError) {
    let notices = NoticeReceiver(onNotice)
    handle = try ConnectionAttempt(source: source, notices: notices).connect(wait: wait)
    self.source = source
    self.notices = notices
  }

  deinit {
    if isPooled { leaveSession() }
    PQfinish(handle)
  }

  /// A Boolean value that indicates whether the session is that of a pooler, and outlives the connection.
  package var isPooled: Bool { hasPooler.load(ordering: .relaxed) }

  /// Notes that a pooler was found between here and the server.
  borrowing func notePooler() { hasPooler.store(true, ordering: .relaxed) }

  /// Where a connection is with respect to transactions.
  public enum TransactionStatus: Hashable, Sendable {
    case idle
    case active
    case inTransaction
    case failed
    case unknown
  }

  /// Whether a transaction is open.
  public var transactionStatus: TransactionStatus {
    switch PQtransactionStatus(handle) {
    case PQTRANS_IDLE: .idle
    case PQTRANS_ACTIVE: .active
    case PQTRANS_INTRANS: .inTransaction
    case PQTRANS_INERROR: .failed
    default: .unknown
    }
  }

  /// A Boolean value that indicates whether the connection is lost.
  public var isBroken: Bool { PQstatus(handle) == CONNECTION_BAD }

  /// The server's version as a number, such as 150018.
  public var serverVersion: Int { Int(PQserverVersion(handle)) }

  /// The process that serves this connection.
  public var backendPID: Int { Int(PQbackendPID(handle)) }

  /// The name of the database.
  public var databaseName: String { text(PQdb(handle)) }

  /// What the user calls the application, in the URL or by `PGAPPNAME`; none if nothing is said.
  public var applicationName: String? { connectionOption("application_name", of: handle) }

  /// The role that the session takes on after its login; none if it is that of the login.
  package var assumedRole: SQLIdentifier? { source.role }

  /// The name of the role that logged in.
  public var userName: String { text(PQuser(handle)) }

  /// Where the server is: its host, or the folder of its socket, and the port.
  public var serverDescription: String {
    let host = text(PQhost(handle))
    return host.hasPrefix("/")
      ? "socket \"\(host)/.s.PGSQL.\(text(PQport(handle)))\""
      : "\"\(host)\", port \(text(PQport(handle)))"
  }

  /// A handle that cancels this connection's statements from any thread.
  public var canceller: ConnectionCanceller { ConnectionCanceller(handle) }

  /// Returns a setting that the server reports by itself, such as `in_hot_standby`.
  public func parameterStatus(_ name: String) -> String? {
    PQparameterStatus(handle, name).map { String(cString: $0) }
  }

  private func text(_ pointer: UnsafeMutablePointer<CChar>?) -> String {
    pointer.map { String(cString: $0) } ?? ""
  }
}
