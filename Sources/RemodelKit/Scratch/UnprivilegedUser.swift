#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Whom a server runs as that root starts, because PostgreSQL refuses to run as root.
struct UnprivilegedUser: Hashable, Sendable {
  let name: String
  let groupID: UInt32

  /// The user `postgres` if there is one, otherwise `nobody`; `nil` if this process is not root's.
  static var needed: UnprivilegedUser? {
    guard geteuid() == 0 else { return nil }
    // The file rather than getpwnam: that one does not work in a static executable.
    let users = (try? String(contentsOfFile: "/etc/passwd", encoding: .utf8)) ?? ""
    return user("postgres", in: users) ?? user("nobody", in: users)
      ?? UnprivilegedUser(name: "nobody", groupID: 65_534)
  }

  static func user(_ name: String, in users: String) -> UnprivilegedUser? {
    for line in users.split(separator: "\n") {
      let fields = line.split(separator: ":", omittingEmptySubsequences: false)
      guard fields.count > 3, fields[0] == name, let group = UInt32(fields[3]) else { continue }
      return UnprivilegedUser(name: name, groupID: group)
    }
    return nil
  }
}
