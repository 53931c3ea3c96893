import CPostgreSQL

/// Cancels the statement that a connection is running, from any thread.
///
/// It may outlive its connection; then it does nothing that matters.
public final class ConnectionCanceller: @unchecked Sendable {
  // The proof that this is safe: the pointer never changes; what it points to is a copy of the
  // connection's address and key, which nothing writes to after PQgetCancel; PQcancel only reads it
  // and is documented as safe in any thread; PQfreeCancel runs in `deinit`, when no other reference
  // is left and so no call of `cancel()` can be under way.
  private let handle: OpaquePointer?

  init(_ connection: OpaquePointer) {
    handle = PQgetCancel(connection)
  }

  deinit {
    PQfreeCancel(handle)
  }

  /// Asks the server to cancel what the connection is running; a statement of it then fails with
  /// `queryCanceled`.
  ///
  /// - Returns: Whether the server got the request, which is no promise that it was in time.
  @discardableResult
  public func cancel() -> Bool {
    guard let handle else { return false }
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { complaint in
      PQcancel(handle, complaint.baseAddress, Int32(complaint.count)) == 1
    }
  }
}
