import CPostgreSQL

extension PostgresError {
  /// Creates an error from what the server said about a statement.
  init(result: OpaquePointer?, connection: OpaquePointer, statement: String) {
    self.init(notice: result)
    self.statement = statement
    if message.isEmpty {
      let lines = Self.lines(of: connection)
      message = lines.first ?? "connection to the server was lost"
      detail = lines.count > 1 ? lines.dropFirst().joined(separator: "\n") : nil
    }
    let endings: [SQLState] = [
      .adminShutdown, .crashShutdown, .idleSessionTimeout, .idleInTransactionTimeout,
    ]
    let isEnding = sqlState.map(endings.contains) ?? false
    if isEnding || PQstatus(connection) == CONNECTION_BAD { kind = .connectionLost }
  }

  /// Creates an error from the fields of a notice or of a refused statement.
  init(notice result: OpaquePointer?) {
    func field(_ code: remodel_diagnostic_field) -> String? {
      guard let result else { return nil }
      return PQresultErrorField(result, Int32(code.rawValue)).map { String(cString: $0) }
    }
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
  static var closed: PostgresError {
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
  /// Returns the error of settings that libpq does not start a connection with.
  static func connectionSettings(_ handle: OpaquePointer) -> PostgresError {
    let lines = lines(of: handle)
    // A host name that does not resolve ends here too, and may resolve a little later.
    if lines.contains(where: { $0.contains("could not translate host name") }) {
      return connectionFailure(handle)
    }
    return PostgresError(.malformedURL, lines.first ?? "connection settings are not valid")
  }

  /// Returns the error of a connection that did not come about.
  static func connectionFailure(_ handle: OpaquePointer) -> PostgresError {
    var state: SQLState?
    let lines = lines(of: handle).compactMap { line -> String? in
      guard !line.hasPrefix("LOCATION:  ") else { return nil }
      let parts = partsOfVerboseError(line)
      if let code = parts.code { state = SQLState(rawValue: code) }
      return parts.text
    }
    let isRefusal = state != nil && state != .cannotConnectNow
    return PostgresError(
      isRefusal || PQconnectionNeedsPassword(handle) != 0 ? .authentication : .connection,
      lines.first ?? "could not connect to the server",
      sqlState: state,
      detail: lines.count > 1 ? lines.dropFirst().joined(separator: "\n") : nil
    )
  }

  /// Returns the error of a URL that libpq does not read, or not as it was meant.
  static func malformedURL(detail: String?, hint: String? = nil) -> PostgresError {
    PostgresError(.malformedURL, "connection URL is not valid", detail: detail, hint: hint)
  }

  private static func lines(of handle: OpaquePointer) -> [String] {
    String(cString: PQerrorMessage(handle))
      .split(separator: "\n")
      .map { $0.drop { $0 == "\t" || $0 == " " } }
      .filter { !$0.isEmpty }
      .map(String.init)
  }

  /// Takes the code out of `… FATAL:  28P01: …`.
  private static func partsOfVerboseError(_ line: String) -> (text: String, code: String?) {
    guard let severityEnd = line.firstRange(of: ":  ") else { return (line, nil) }
    let rest = line[severityEnd.upperBound...]
    let code = rest.prefix(5)
    let isCode =
      code.utf8.count == 5
      && code.utf8.allSatisfy { byte in
        (48...57).contains(byte) || (65...90).contains(byte)
      }
    guard isCode, rest.dropFirst(5).hasPrefix(": ") else { return (line, nil) }
    return (String(line[..<severityEnd.upperBound] + rest.dropFirst(7)), String(code))
  }
}
