internal import Synchronization

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// Tells other threads that something has happened.
package final class Flag: Sendable {
  private let value = Mutex(false)

  /// Creates a flag that is not set.
  package init() {}

  /// A Boolean value that indicates whether it has happened.
  package var isSet: Bool { value.withLock(\.self) }

  /// Sets the flag.
  ///
  /// - Returns: Whether it was not set before.
  @discardableResult
  package func set() -> Bool {
    value.withLock { isSet in
      defer { isSet = true }
      return !isSet
    }
  }

  /// Waits until it has happened.
  package func wait() async throws {
    while !isSet { try await Task.sleep(for: .milliseconds(20)) }
  }

  /// Keeps a thread of a test's own until it has happened.
  package func block() {
    while !isSet { usleep(20_000) }
  }
}
