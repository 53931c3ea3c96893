import RemodelKit

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The environment of a call: the variables, where an empty one counts as absent, and the policies
/// of the executable.
struct CommandEnvironment: Sendable {
  /// The policies in code, by the class names that mappings have.
  let policies: [String: any EntityMigrationPolicy]

  private let lookUp: @Sendable (String) -> String?

  /// The variables of this process, and the policies that it was called with.
  static var process: CommandEnvironment {
    // Foundation builds its dictionary of all variables again for every access.
    CommandEnvironment(policies: RemodelCommand.policies) { name in
      getenv(name).map { String(cString: $0) }
    }
  }

  /// Creates an environment of given variables.
  init(_ variables: [String: String]) {
    self.init(policies: [:]) { variables[$0] }
  }

  private init(
    policies: [String: any EntityMigrationPolicy],
    lookUp: @escaping @Sendable (String) -> String?
  ) {
    self.policies = policies
    self.lookUp = lookUp
  }

  /// Returns the value of a variable that is set and not empty.
  subscript(name: String) -> String? {
    lookUp(name).flatMap { $0.isEmpty ? nil : $0 }
  }
}
