import RemodelKit
import Synchronization

/// The reported warnings, of any store.
final class Told: Sendable {
  private let diagnostics = Mutex<Set<Diagnostic>>([])

  func insert(_ diagnostic: Diagnostic) {
    diagnostics.withLock { _ = $0.insert(diagnostic.withoutContext) }
  }

  func contains(_ diagnostic: Diagnostic) -> Bool {
    diagnostics.withLock { $0.contains(diagnostic.withoutContext) }
  }
}

extension Diagnostic {
  /// The diagnostic without the stores that it is about.
  fileprivate var withoutContext: Diagnostic {
    var copy = self
    copy.context = nil
    return copy
  }
}
