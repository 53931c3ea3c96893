import CPostgreSQL
public import Diagnostics
public import SQLSyntax
internal import Synchronization

/// A connection to a server, which ends with this value; every call waits for the server.
///
/// A connection is not for several threads at once: `PostgresSession` gives it a thread of its own.
public struct PostgresConnection: ~Copyable {
  let handle: OpaquePointer
  let source: ConnectionSource
  private let notices: NoticeReceiver
  private let hasPooler = Atomic(false)
  private let isOfCitus = Atomic(false)

  /// Connects to a server.
  ///
  /// - Parameters:
  ///   - source: The source of the connection's settings.
  ///   - wait: The time to retry while the server does not accept connections.
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

  /// A Boolean value that indicates whether the database has Citus; it is known of a prepared session.
  package var hasCitus: Bool { isOfCitus.load(ordering: .relaxed) }

  /// Notes whether the database has Citus.
  borrowing func noteCitus(_ hasCitus: Bool) { isOfCitus.store(hasCitus, ordering: .relaxed) }

  /// The transaction status of a connection.
  package enum TransactionStatus: Hashable, Sendable {
    case idle
    case active
    case inTransaction
    case failed
    case unknown
  }

  /// Whether a transaction is open.
  package var transactionStatus: TransactionStatus {
    switch PQtransactionStatus(handle) {
    case PQTRANS_IDLE: .idle
    case PQTRANS_ACTIVE: .active
    case PQTRANS_INTRANS: .inTransaction
    case PQTRANS_INERROR: .failed
    default: .unknown
    }
  }

  /// A Boolean value that indicates whether the connection is lost.
  package var isBroken: Bool { PQstatus(handle) == CONNECTION_BAD }

  /// The server's version as a number, such as 150018.
  package var serverVersion: Int { Int(PQserverVersion(handle)) }

  /// The process that serves this connection.
  package var backendPID: Int { Int(PQbackendPID(handle)) }

  /// The name of the database.
  package var databaseName: String { text(PQdb(handle)) }

  /// The user's name of the application, from the URL or `PGAPPNAME`.
  package var applicationName: String? { connectionOption("application_name", of: handle) }

  /// The role that the session takes on after its login; none if it is that of the login.
  package var assumedRole: SQLIdentifier? { source.role }

  /// The name of the role that logged in.
  package var userName: String { text(PQuser(handle)) }

  /// The name or the address of the server, or the folder of its socket, which begins with a slash.
  package var serverHost: String { text(PQhost(handle)) }

  /// The port of the server.
  package var serverPort: Int { Int(text(PQport(handle))) ?? 0 }

  /// The address of the server: its host, or the folder of its socket, and the port.
  package var serverDescription: String {
    let host = text(PQhost(handle))
    return host.hasPrefix("/")
      ? "socket \"\(host)/.s.PGSQL.\(text(PQport(handle)))\""
      : "\"\(host)\", port \(text(PQport(handle)))"
  }

  /// A handle that cancels this connection's statements from any thread.
  package var canceller: ConnectionCanceller { ConnectionCanceller(handle) }

  /// Returns a setting that the server reports by itself, such as `in_hot_standby`.
  package func parameterStatus(_ name: String) -> String? {
    PQparameterStatus(handle, name).map { String(cString: $0) }
  }

  private func text(_ pointer: UnsafeMutablePointer<CChar>?) -> String {
    pointer.map { String(cString: $0) } ?? ""
  }
}

extension PostgresConnection {
  /// Runs one statement with parameters and returns its rows; the server refuses a text that has several.
  ///
  /// - Parameters:
  ///   - sql: The statement; its parameters are written `$1`, `$2` and so on.
  ///   - parameters: The parameters' values as text; the server infers their types.
  /// - Returns: The rows.
  /// - Throws: An error of the kinds `server` and `connectionLost`.
  @discardableResult
  public borrowing func query(
    _ sql: SQLFragment,
    _ parameters: [String?] = []
  ) throws(PostgresError) -> QueryResult {
    let text = sql.text
    let hasNullByte = parameters.contains { $0?.utf8.contains(0) ?? false }
    guard !hasNullByte, !text.utf8.contains(0) else { throw .nullByte(in: text) }
    let result = withCStrings(parameters) { values in
      PQexecParams(handle, text, Int32(parameters.count), nil, values, nil, nil, 0)
    }
    defer { PQclear(result) }
    return QueryResult(try checked(result, statement: text))
  }

  /// Runs a query without parameters after conditions, in one round trip and one transaction.
  ///
  /// The server does not look at the query, not even to plan it, before all conditions have succeeded.
  ///
  /// - Parameters:
  ///   - sql: The query.
  ///   - conditions: Statements that fail where the query is not to run.
  /// - Returns: The rows of the query.
  /// - Throws: An error of the kinds `server` and `connectionLost`.
  package borrowing func query(
    _ sql: SQLFragment,
    after conditions: [SQLFragment]
  ) throws(PostgresError) -> QueryResult {
    let text = (conditions + [sql]).joined(separator: ";\n").text
    guard !text.utf8.contains(0) else { throw .nullByte(in: text) }
    let result = PQexec(handle, text)
    defer { PQclear(result) }
    return QueryResult(try checked(result, statement: text))
  }

  /// Runs one or several statements without parameters, in one round trip.
  ///
  /// It is for text of the program's own. ``query(_:_:)`` is for SQL that people wrote: there, nothing that
  /// they wrote can end the transaction and begin another statement.
  ///
  /// Several statements run in one transaction unless they have `BEGIN` and `COMMIT` of their own.
  ///
  /// - Parameter sql: The statements.
  /// - Returns: The number of rows that the last statement changed.
  /// - Throws: An error of the kinds `server` and `connectionLost`.
  @discardableResult
  public borrowing func execute(_ sql: SQLFragment) throws(PostgresError) -> Int {
    let text = sql.text
    guard !text.utf8.contains(0) else { throw .nullByte(in: text) }
    let result = PQexec(handle, text)
    defer { PQclear(result) }
    return affectedRows(try checked(result, statement: text))
  }

  /// Runs statements without parameters in their order, in one round trip.
  ///
  /// It is for text of the program's own, as ``execute(_:)`` is. The server runs none of them after one that
  /// fails.
  ///
  /// - Parameters:
  ///   - statements: The statements, one in each text.
  ///   - onAnswer: Gets how many of them have succeeded, after each.
  /// - Returns: The number of rows that the last one changed.
  /// - Throws: The error of the first one that fails, of the kinds `server` and `connectionLost`.
  @discardableResult
  package borrowing func execute(
    _ statements: [SQLFragment],
    onAnswer: (Int) -> Void
  ) throws(PostgresError) -> Int {
    if hasCitus {
      // It passes the whole text of a change on to other nodes, which take one statement.
      var rows = 0
      for (index, statement) in statements.enumerated() {
        rows = try execute(statement)
        onAnswer(index + 1)
      }
      return rows
    }
    let text = statements.joined(separator: ";\n").text
    guard !text.utf8.contains(0) else { throw .nullByte(in: text) }
    guard PQsendQuery(handle, text) == 1 else {
      throw error(of: nil, statement: text)
    }
    var answers = 0
    var rows = 0
    var failure: PostgresError?
    while let result = PQgetResult(handle) {
      defer { PQclear(result) }
      // After the error that ended the session, there is one that says no more than that.
      guard failure == nil else { continue }
      let statement = answers < statements.count ? statements[answers].text : text
      do throws(PostgresError) {
        rows = affectedRows(try checked(result, statement: statement))
        answers += 1
        onAnswer(answers)
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return rows
  }

  /// Returns the error of a statement that failed, or of the session that has ended.
  borrowing func error(of result: OpaquePointer?, statement: String) -> PostgresError {
    let error = PostgresError(result: result, connection: handle, statement: statement)
    guard error.kind == .connectionLost, error.sqlState == nil, let ending = notices.ending else {
      return error
    }
    return ending.with(statement: statement)
  }

  borrowing func checked(
    _ result: OpaquePointer?,
    statement: String
  ) throws(PostgresError) -> OpaquePointer {
    let status = PQresultStatus(result)
    if let result {
      if [PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY].contains(status) { return result }
      if [PGRES_COPY_IN, PGRES_COPY_OUT, PGRES_COPY_BOTH].contains(status) {
        endCopy(status)
        throw PostgresError(
          .server,
          "cannot copy to or from the client",
          sqlState: .featureNotSupported
        )
        .with(statement: statement)
      }
    }
    throw error(of: result, statement: statement)
  }

  /// Leaves the copy state, so that the connection can be used again.
  borrowing func endCopy(_ status: ExecStatusType) {
    if status == PGRES_COPY_IN { PQputCopyEnd(handle, "the client has given up") }
    if status == PGRES_COPY_OUT {
      var row: UnsafeMutablePointer<CChar>?
      while PQgetCopyData(handle, &row, 0) > 0 { PQfreemem(row) }
    }
    while let result = PQgetResult(handle) {
      let status = PQresultStatus(result)
      PQclear(result)
      // A connection lost during COPY would report this status forever.
      if status == PGRES_COPY_IN || status == PGRES_COPY_OUT { return }
    }
  }
}

extension QueryResult {
  /// Reads a result into memory that is ours.
  fileprivate init(_ result: OpaquePointer) {
    let columns = (0..<PQnfields(result)).map { column in
      PQfname(result, column).map { String(cString: $0) } ?? ""
    }
    let rows = (0..<PQntuples(result)).map { row in
      (0..<Int32(columns.count)).map { column -> String? in
        guard PQgetisnull(result, row, column) == 0 else { return nil }
        return PQgetvalue(result, row, column).map { String(cString: $0) }
      }
    }
    self.init(columns: columns, rows: rows, affectedRows: PostgresClient.affectedRows(result))
  }
}

func affectedRows(_ result: OpaquePointer) -> Int {
  Int(String(cString: PQcmdTuples(result))) ?? 0
}

extension PostgresConnection {
  /// The variables with which PostgreSQL's own programs connect to the same server, including the
  /// password: only for the environment of a process.
  ///
  /// A `nil` value removes a variable.
  package var environment: [String: String?] {
    // The service file is already resolved.
    var variables: [String: String?] = ["PGSERVICE": nil, "PGSERVICEFILE": nil]
    let options = PQconninfo(handle)
    defer { PQconninfoFree(options) }
    guard var option = options else { return variables }
    while let keyword = option.pointee.keyword {
      let name = option.pointee.envvar.map { String(cString: $0) }
      if let name, String(cString: keyword) != "service" {
        variables[name] = option.pointee.val.map { String(cString: $0) }
      }
      option += 1
    }
    // Of several hosts the one that has answered.
    variables["PGHOST"] = PQhost(handle).map { String(cString: $0) }
    variables["PGPORT"] = PQport(handle).map { String(cString: $0) }
    if let addresses = variables["PGHOSTADDR"], addresses?.contains(",") == true {
      variables["PGHOSTADDR"] = PQhostaddr(handle).map { String(cString: $0) }
    }
    return variables
  }
}
