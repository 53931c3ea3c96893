/// The superuser of a throwaway server.
struct ScratchSuperuser: Hashable, Sendable {
  /// The name of the role: of letters, digits and underscores.
  let name: String
  /// The password of every role; `nil` if the server trusts everyone who can access its socket.
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
