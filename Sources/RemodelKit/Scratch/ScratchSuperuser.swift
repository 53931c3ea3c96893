/// The superuser that a throwaway server is made with.
struct ScratchSuperuser: Hashable, Sendable {
  /// The name of the role: of letters, digits and underscores.
  let name: String
  /// What every role has to log in with; none if the server lets everyone in who reaches its socket.
  let password: String?

  /// The superuser of a server that has no code of others.
  static let trusted = ScratchSuperuser(name: "postgres", password: nil)

  /// Returns a password that cannot be guessed.
  static func randomPassword() -> String {
    var generator = SystemRandomNumberGenerator()
    return (0..<4).map { _ in String(UInt64.random(in: .min ... .max, using: &generator), radix: 36)
    }
    .joined()
  }
}
