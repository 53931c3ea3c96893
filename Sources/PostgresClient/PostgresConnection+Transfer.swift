import CPostgreSQL
package import SQLSyntax

/// The end of a transfer from one connection to another by an error of one of them.
package enum TransferError: Error {
  /// The connection that sends the rows.
  case source(PostgresError)
  /// The connection that gets the rows.
  case destination(PostgresError)
}

extension PostgresConnection {
  /// Sends the rows of `COPY … TO STDOUT` to another connection's `COPY … FROM STDIN` as they are.
  ///
  /// Nothing is copied unless the source has sent all rows.
  ///
  /// - Parameters:
  ///   - reading: The statement on this connection.
  ///   - destination: The other connection.
  ///   - writing: The statement there, with the same format.
  ///   - onRows: Gets the number of rows now and then; if it throws, nothing is copied.
  /// - Returns: The number of rows.
  /// - Throws: The function's error, or a `TransferError`.
  package borrowing func copy(
    _ reading: SQLFragment,
    to destination: borrowing PostgresConnection,
    _ writing: SQLFragment,
    onRows: (Int) throws -> Void = { _ in }
  ) throws -> Int {
    let text = (reading: reading.text, writing: writing.text)
    do {
      try startCopy(text.reading, PGRES_COPY_OUT)
    } catch { throw TransferError.source(error) }
    do {
      try destination.startCopy(text.writing, PGRES_COPY_IN)
    } catch {
      giveUpCopy()
      throw TransferError.destination(error)
    }
    do {
      guard try sendRows(to: destination, onRows) else {
        // The server has reported the reason before it stopped listening.
        giveUpCopy()
        try destination.failCopy(text.writing)
      }
    } catch {
      giveUpCopy()
      destination.endCopy(PGRES_COPY_IN)
      throw error
    }
    do {
      _ = try finishCopy(text.reading)
    } catch {
      destination.endCopy(PGRES_COPY_IN)
      throw TransferError.source(error)
    }
    PQputCopyEnd(destination.handle, nil)
    do {
      return try destination.finishCopy(text.writing)
    } catch { throw TransferError.destination(error) }
  }

  /// Sends rows until there are no more.
  ///
  /// - Returns: Whether the other server has listened to the end.
  private borrowing func sendRows(
    to destination: borrowing PostgresConnection,
    _ onRows: (Int) throws -> Void
  ) throws -> Bool {
    var buffer: [CChar] = []
    buffer.reserveCapacity(transferSize * 2)
    var rows = 0
    var line: UnsafeMutablePointer<CChar>?
    while case let length = PQgetCopyData(handle, &line, 0), length > 0 {
      buffer.append(contentsOf: UnsafeBufferPointer(start: line, count: Int(length)))
      PQfreemem(line)
      line = nil
      rows += 1
      guard buffer.count >= transferSize else { continue }
      guard destination.send(&buffer) else { return false }
      try onRows(rows)
    }
    return destination.send(&buffer)
  }

  private borrowing func send(_ buffer: inout [CChar]) -> Bool {
    guard !buffer.isEmpty else { return true }
    let isSent = buffer.withUnsafeBufferPointer {
      PQputCopyData(handle, $0.baseAddress, Int32($0.count)) == 1
    }
    buffer.removeAll(keepingCapacity: true)
    return isSent
  }

  /// Ends the statement whose rows nobody reads any more.
  private borrowing func giveUpCopy() {
    guard transactionStatus == .active else { return }
    canceller.cancel()
    endCopy(PGRES_COPY_OUT)
  }

  private borrowing func failCopy(_ text: String) throws -> Never {
    do {
      _ = try finishCopy(text)
    } catch { throw TransferError.destination(error) }
    throw TransferError.destination(
      error(of: nil, statement: text)
    )
  }
}

/// The bytes that are sent at a time.
private let transferSize = 64 * 1024
