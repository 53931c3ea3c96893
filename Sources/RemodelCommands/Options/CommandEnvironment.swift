#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The environment variables of a call, where an empty one is as good as none.
struct CommandEnvironment: Sendable {
  private let lookUp: @Sendable (String) -> String?

  /// The variables of this process.
  static var process: CommandEnvironment {
    CommandEnvironment { ProcessInfo.processInfo.environment[$0] }
  }

  /// Creates an environment of given variables.
  init(_ variables: [String: String]) {
    self.init { variables[$0] }
  }

  private init(lookUp: @escaping @Sendable (String) -> String?) {
    self.lookUp = lookUp
  }

  /// Returns the value of a variable that is set and not empty.
  subscript(name: String) -> String? {
    lookUp(name).flatMap { $0.isEmpty ? nil : $0 }
  }
}
