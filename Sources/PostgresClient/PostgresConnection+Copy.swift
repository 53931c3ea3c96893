import CPostgreSQL
package import SQLSyntax

extension PostgresConnection {
  /// Runs `COPY … TO STDOUT` in the text format, and passes each row to a function when it arrives.
  ///
  /// If the function throws, the statement is cancelled and its transaction fails.
  ///
  /// - Parameters:
  ///   - sql: The statement.
  ///   - body: Gets the rows.
  /// - Returns: The number of rows.
  /// - Throws: The function's error, or one of the kinds `server` and `connectionLost`.
  @discardableResult
  package borrowing func copyOut(
    _ sql: SQLFragment,
    _ body: (CopyRow) throws -> Void
  ) throws -> Int {
    let text = sql.text
    try startCopy(text, PGRES_COPY_OUT)
    var line: UnsafeMutablePointer<CChar>?
    while case let length = PQgetCopyData(handle, &line, 0), length > 0 {
      let bytes = UnsafeRawBufferPointer(start: line, count: Int(length))
      let row = CopyRow(line: bytes.last == 10 ? bytes.dropLast() : bytes[...])
      PQfreemem(line)
      line = nil
      do {
        try body(row)
      } catch {
        canceller.cancel()
        endCopy(PGRES_COPY_OUT)
        throw error
      }
    }
    return try finishCopy(text)
  }

  /// Runs `COPY … FROM STDIN` in the text format with the rows that a function writes.
  ///
  /// If the function throws, nothing is copied, and a transaction fails.
  ///
  /// - Parameters:
  ///   - sql: The statement.
  ///   - body: Writes the rows.
  /// - Returns: The number of rows.
  /// - Throws: The function's error, or one of the kinds `server` and `connectionLost`.
  @discardableResult
  package borrowing func copyIn(
    _ sql: SQLFragment,
    _ body: (inout CopyWriter) throws -> Void
  ) throws -> Int {
    let text = sql.text
    try startCopy(text, PGRES_COPY_IN)
    var writer = CopyWriter(handle)
    do {
      try body(&writer)
      try writer.flush()
    } catch is CopyWriter.Refusal {
      // The server has reported the reason before it stopped listening.
      return try finishCopy(text)
    } catch {
      endCopy(PGRES_COPY_IN)
      throw error
    }
    PQputCopyEnd(handle, nil)
    return try finishCopy(text)
  }

  borrowing func startCopy(
    _ text: String,
    _ expected: ExecStatusType
  ) throws(PostgresError) {
    guard !text.utf8.contains(0) else { throw .nullByte(in: text) }
    // A copied query may be authored SQL: in the extended protocol the server refuses several statements. Rows
    // are written in the simple one, as libpq sends a Sync before them in the other, and where the server has
    // not read it when the copy fails, its answers are one behind from then on.
    let result =
      expected == PGRES_COPY_IN
      ? PQexec(handle, text) : PQexecParams(handle, text, 0, nil, nil, nil, nil, 0)
    defer { PQclear(result) }
    guard PQresultStatus(result) != expected else { return }
    _ = try checked(result, statement: text)
    throw PostgresError(
      .server,
      "statement does not copy to or from the client",
      sqlState: .featureNotSupported
    )
    .with(statement: text)
  }

  /// Waits for the server's final result.
  borrowing func finishCopy(_ text: String) throws(PostgresError) -> Int {
    var rows: Int?
    var failure: PostgresError?
    while let result = PQgetResult(handle) {
      defer { PQclear(result) }
      let status = PQresultStatus(result)
      if status == PGRES_COMMAND_OK {
        rows = affectedRows(result)
      } else if failure == nil {
        failure = error(of: result, statement: text)
      }
      // A connection lost during COPY would report this status forever.
      if status == PGRES_COPY_IN || status == PGRES_COPY_OUT { break }
    }
    if let failure { throw failure }
    guard let rows else {
      throw error(of: nil, statement: text)
    }
    return rows
  }
}

/// Takes rows for `COPY … FROM STDIN`, and sends them in pieces of a bounded size.
package struct CopyWriter: ~Copyable {
  /// The server does not listen any more.
  struct Refusal: Error {}

  private let handle: OpaquePointer
  private var buffer: [UInt8] = []

  init(_ handle: OpaquePointer) {
    self.handle = handle
  }

  /// Writes a row.
  ///
  /// - Parameter values: The values in the order of the columns, as text; `nil` is NULL.
  /// - Throws: That a value has a null byte, or an error that ends the copy.
  package mutating func write(_ values: some Sequence<String?>) throws {
    try CopyRow.append(values, to: &buffer)
    if buffer.count > 60_000 { try flush() }
  }

  mutating func flush() throws(Refusal) {
    guard !buffer.isEmpty else { return }
    let isSent = buffer.withUnsafeBytes { bytes in
      bytes.withMemoryRebound(to: CChar.self) {
        PQputCopyData(handle, $0.baseAddress, Int32($0.count)) == 1
      }
    }
    buffer.removeAll(keepingCapacity: true)
    guard isSent else { throw Refusal() }
  }
}

extension PostgresError {
  /// Returns the line, counted from 1, of the rows copied to a table that the error is about.
  ///
  /// The server reports it in its context, in its own language: `COPY book, line 3, column title`.
  ///
  /// - Parameter tableName: The table.
  /// - Returns: The line, or `nil` if the error is not about one.
  package func copiedLine(ofTable tableName: String) -> Int? {
    guard let context = serverContext, context.contains("COPY"),
      let name = context.firstRange(of: tableName)
    else { return nil }
    let isDigit = { (character: Character) in character.isASCII && character.isNumber }
    let rest = context[name.upperBound...].drop { !isDigit($0) }
    return Int(rest.prefix(while: isDigit))
  }
}
