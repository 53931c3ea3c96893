import CPostgreSQL
public import SQLSyntax

extension PostgresConnection {
  /// Runs one statement with parameters and returns its rows.
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
  public borrowing func query(
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
    throw PostgresError(result: result, connection: handle, statement: statement)
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
      // A connection that is lost in the middle would say so for ever.
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
