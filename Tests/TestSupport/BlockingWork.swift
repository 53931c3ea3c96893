import Dispatch

/// Runs what blocks its thread on a thread of its own: the few that tests share would all be taken.
public func onThread<Output: Sendable>(
  _ body: @escaping @Sendable () throws -> Output
) async throws -> Output {
  try await withCheckedThrowingContinuation { continuation in
    DispatchQueue(label: "blocking").async {
      continuation.resume(with: Result { try body() })
    }
  }
}
