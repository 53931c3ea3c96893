import Dispatch

/// Runs blocking work on a thread of its own, since it would exhaust the few threads that tests
/// share.
package func onThread<Output: Sendable>(
  _ body: @escaping @Sendable () throws -> Output
) async throws -> Output {
  try await withCheckedThrowingContinuation { continuation in
    DispatchQueue(label: "blocking").async {
      continuation.resume(with: Result { try body() })
    }
  }
}
