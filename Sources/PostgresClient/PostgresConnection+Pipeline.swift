import CPostgreSQL
package import SQLSyntax

extension PostgresConnection {
  /// The most statements that are sent before the first of them is answered.
  private static let window = 64

  /// Runs statements in their order, each sent before the ones ahead of it are answered.
  ///
  /// The server runs none of them after one that fails.
  ///
  /// - Parameters:
  ///   - statements: Statements without parameters, one in each text, that do not end the transaction.
  ///   - onAnswer: Gets the position and the text of each statement that has succeeded, and the number of
  ///     rows that it changed. An error ends the run; statements that are already sent may still be carried out.
  /// - Throws: The error of the first statement that fails, or that of `onAnswer`.
  package borrowing func run(
    inOrder statements: [SQLFragment],
    onAnswer: (_ position: Int, _ text: String, _ rows: Int) throws -> Void
  ) throws {
    let texts = statements.map(\.text)
    if let text = texts.first(where: { $0.utf8.contains(0) }) {
      throw PostgresError.nullByte(in: text)
    }
    guard PQenterPipelineMode(handle) == 1 else {
      throw PostgresError(result: nil, connection: handle, statement: texts.first ?? "")
    }
    do {
      var sent = 0
      for answered in texts.indices {
        while sent < texts.count, sent - answered < Self.window {
          try sendAhead(texts[sent])
          sent += 1
        }
        try onAnswer(answered, texts[answered], rowsOfNextAnswer(to: texts[answered]))
      }
    } catch {
      leavePipeline()
      throw error
    }
    leavePipeline()
    guard !isBroken else {
      throw PostgresError(result: nil, connection: handle, statement: texts.last ?? "")
    }
  }

  private borrowing func sendAhead(_ text: String) throws(PostgresError) {
    // The server answers each statement when it is done, not all of them at the end.
    guard PQsendQueryParams(handle, text, 0, nil, nil, nil, nil, 0) == 1,
      PQsendFlushRequest(handle) == 1, PQflush(handle) >= 0
    else { throw PostgresError(result: nil, connection: handle, statement: text) }
  }

  private borrowing func rowsOfNextAnswer(to text: String) throws(PostgresError) -> Int {
    let result = PQgetResult(handle)
    defer { PQclear(result) }
    let rows = affectedRows(try checked(result, statement: text))
    // The end of the answers to one statement.
    while let rest = PQgetResult(handle) { PQclear(rest) }
    return rows
  }

  /// Waits until the server has answered all that was sent, so that the connection can be used again.
  private borrowing func leavePipeline() {
    if PQpipelineSync(handle) == 1 {
      var gaps = 0
      // Between the answers to two statements is one gap.
      while !isBroken, gaps < 2 {
        guard let result = PQgetResult(handle) else {
          gaps += 1
          continue
        }
        gaps = 0
        let status = PQresultStatus(result)
        PQclear(result)
        if status == PGRES_PIPELINE_SYNC { break }
      }
    }
    PQexitPipelineMode(handle)
  }
}
