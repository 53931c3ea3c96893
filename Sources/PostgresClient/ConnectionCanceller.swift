import CPostgreSQL

/// Cancels the statement that a connection is running, from any thread.
///
/// It may outlive its connection; then it does nothing that matters.
package final class ConnectionCanceller: @unchecked Sendable {
  // This is safe: the pointer never changes; it points to a copy of the connection's address and
  // key, which nothing writes to after PQgetCancel; PQcancel only reads it and is documented as
  // safe in any thread; PQfreeCancel runs in `deinit`, when no other reference is left and so no
  // call of `cancel()` can be under way.
  private let handle: OpaquePointer?

  init(_ connection: OpaquePointer) {
    handle = PQgetCancel(connection)
  }

  deinit {
    PQfreeCancel(handle)
  }

  /// Asks the server to cancel the connection's current statement, which then fails with
  /// `queryCanceled`.
  ///
  /// - Returns: Whether the server got the request, even if it was too late.
  @discardableResult
  package func cancel() -> Bool {
    guard let handle else { return false }
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { complaint in
      PQcancel(handle, complaint.baseAddress, Int32(complaint.count)) == 1
    }
  }
}
