import CPostgreSQL
internal import SQLSyntax

extension PostgresError {
  /// Creates an error from the server's response to a statement.
  init(result: OpaquePointer?, connection: OpaquePointer, statement: String) {
    self.init(notice: result)
    self.statement = statement
    if message.isEmpty {
      let complaint = Complaint(of: connection)
      sqlState = complaint.sqlState
      message = complaint.message ?? "connection to the server was lost"
      detail = complaint.detail
      if message.hasPrefix("FATAL:  ") { message.removeFirst("FATAL:  ".count) }
    }
    let endings: [SQLState] = [
      .adminShutdown, .crashShutdown, .idleSessionTimeout, .idleInTransactionTimeout,
    ]
    let isEnding = sqlState.map(endings.contains) ?? false
    // Only libpq itself gives no code; where it could not even write, it takes the connection for
    // usable until it reads the next time.
    let isLost = sqlState == nil && PQresultStatus(result) == PGRES_FATAL_ERROR
    if isEnding || isLost || PQstatus(connection) == CONNECTION_BAD { kind = .connectionLost }
  }

  /// Returns whether the server ends the session with a message.
  static func endsSession(_ result: OpaquePointer) -> Bool {
    ["FATAL", "PANIC"].contains(field(REMODEL_DIAG_SEVERITY, of: result))
  }

  private static func field(
    _ code: remodel_diagnostic_field,
    of result: OpaquePointer?
  ) -> String? {
    guard let result else { return nil }
    return PQresultErrorField(result, Int32(code.rawValue)).map { String(cString: $0) }
  }

  /// Creates an error from the fields of a notice or of a refused statement.
  init(notice result: OpaquePointer?) {
    func field(_ code: remodel_diagnostic_field) -> String? { Self.field(code, of: result) }
    self.init(.server, field(REMODEL_DIAG_MESSAGE_PRIMARY) ?? "")
    sqlState = field(REMODEL_DIAG_SQLSTATE).map(SQLState.init(rawValue:))
    detail = field(REMODEL_DIAG_MESSAGE_DETAIL)
    hint = field(REMODEL_DIAG_MESSAGE_HINT)
    serverContext = field(REMODEL_DIAG_CONTEXT)
    schemaName = field(REMODEL_DIAG_SCHEMA_NAME)
    tableName = field(REMODEL_DIAG_TABLE_NAME)
    columnName = field(REMODEL_DIAG_COLUMN_NAME)
    constraintName = field(REMODEL_DIAG_CONSTRAINT_NAME)
  }

  /// Returns the error of a text that has a null byte, which would end it before its end.
  static func nullByte(in statement: String) -> PostgresError {
    PostgresError(
      .server,
      "invalid byte sequence for encoding \"UTF8\": 0x00",
      sqlState: .characterNotInRepertoire
    )
    .with(statement: statement)
  }

  /// Returns the error of a session whose connection was closed by us.
  package static var closed: PostgresError {
    PostgresError(.connectionLost, "connection is closed")
  }

  /// Returns the error with the statement that it belongs to.
  func with(statement: String) -> PostgresError {
    var error = self
    error.statement = statement
    return error
  }
}

// MARK: - Connecting

extension PostgresError {
  /// Returns the error of a connection that ended before it had to wait for the server.
  static func connectionStart(
    _ handle: OpaquePointer,
    _ source: ConnectionSource
  ) -> PostgresError {
    let message = Complaint(of: handle).message ?? ""
    // All that is not about a server is about the settings, which another attempt would not change.
    let attempts = ["connection to server", "could not translate host name"]
    guard !message.isEmpty, !attempts.contains(where: message.hasPrefix) else {
      return connectionFailure(handle, source)
    }
    return PostgresError(.malformedURL, message)
  }

  /// Returns the error for a failed connection attempt.
  static func connectionFailure(
    _ handle: OpaquePointer,
    _ source: ConnectionSource
  ) -> PostgresError {
    let complaint = Complaint(of: handle)
    if let error = systemRoots(complaint.message ?? "", libraryVersion: PQlibVersion()) {
      return error
    }
    if source.mayBeSecret, complaint.message?.hasPrefix("could not translate host name") ?? false {
      return PostgresError(
        .connection,
        "could not translate the host name in the connection URL to an address",
        detail: "The URL has nothing but that word, which is not told: it may be a secret.",
        hint: "Write it as postgresql://user@host:port/database."
      )
    }
    let isRefusal = complaint.sqlState.map { !$0.isPassing } ?? false
    return PostgresError(
      isRefusal || PQconnectionNeedsPassword(handle) != 0 ? .authentication : .connection,
      complaint.message ?? "could not connect to the server",
      sqlState: complaint.sqlState,
      detail: complaint.detail,
      hint: complaint.hint
        ?? (complaint.sqlState == .insufficientPrivilege ? connectGrant(handle) : nil)
    )
  }

  /// Returns the error of a library that takes the word `system` in `sslrootcert` for the name of a
  /// file.
  ///
  /// - Parameters:
  ///   - message: The library's message about the connection.
  ///   - libraryVersion: The version of the library as a number, such as 150020.
  /// - Returns: The error, or `nil` if this is another one.
  static func systemRoots(_ message: String, libraryVersion: Int32) -> PostgresError? {
    guard libraryVersion < 160_000, message.contains("root certificate file \"system\"") else {
      return nil
    }
    return PostgresError(
      .malformedURL,
      "\"sslrootcert=system\" needs libpq 16 or later, and this is libpq \(libraryVersion / 10_000)",
      hint: "Name the file of the authorities, with sslmode=verify-full: on Debian "
        + "sslrootcert=/etc/ssl/certs/ca-certificates.crt."
    )
  }

  /// Returns the statement that lets a role into the database that it was refused.
  private static func connectGrant(_ handle: OpaquePointer) -> String? {
    guard let database = PQdb(handle), let user = PQuser(handle) else { return nil }
    let name = SQLIdentifier(String(cString: database))
    let role = SQLIdentifier(String(cString: user))
    return "GRANT CONNECT ON DATABASE \(name.quoted) TO \(role.quoted);"
  }

  /// Returns the error for a URL that libpq cannot read or would misread.
  static func malformedURL(detail: String?, hint: String? = nil) -> PostgresError {
    PostgresError(.malformedURL, "connection URL is not valid", detail: detail, hint: hint)
  }
}

/// The message of libpq about a connection, in its verbose form.
private struct Complaint {
  var sqlState: SQLState?
  var message: String?
  var detail: String?
  var hint: String?

  init(of handle: OpaquePointer) {
    var lines: [String] = []
    for line in String(cString: PQerrorMessage(handle)).split(separator: "\n") {
      let line = line.drop { $0 == "\t" || $0 == " " }
      if line.isEmpty || line.hasPrefix("LOCATION:  ") { continue }
      let parts = Self.parts(of: String(line))
      if let code = parts.code, sqlState == nil { sqlState = SQLState(rawValue: code) }
      if let text = parts.text.after("HINT:  ") {
        hint = text
      } else {
        lines.append(parts.text.after("DETAIL:  ") ?? parts.text)
      }
    }
    message = lines.first
    detail = lines.count > 1 ? lines.dropFirst().joined(separator: "\n") : nil
  }

  /// Takes the code out of `FATAL:  28P01: …`.
  private static func parts(of line: String) -> (text: String, code: String?) {
    guard let severityEnd = line.firstRange(of: ":  ") else { return (line, nil) }
    let rest = line[severityEnd.upperBound...]
    let code = rest.prefix(5)
    let isCode = code.utf8.allSatisfy { (48...57).contains($0) || (65...90).contains($0) }
    guard isCode, rest.dropFirst(5).hasPrefix(": ") else { return (line, nil) }
    return (String(line[..<severityEnd.upperBound] + rest.dropFirst(7)), String(code))
  }
}

extension String {
  /// Returns the rest of the text after a prefix, or `nil` if it has another prefix.
  fileprivate func after(_ beginning: String) -> String? {
    hasPrefix(beginning) ? String(dropFirst(beginning.count)) : nil
  }
}
