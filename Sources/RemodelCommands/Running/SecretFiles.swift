import RemodelKit

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Variables whose values are in files, as orchestrators pass secrets: `DATABASE_URL_FILE` names the
/// file that holds `DATABASE_URL`.
enum SecretFiles {
  private static let urls = ["REMODEL_DATABASE_URL", "DATABASE_URL"]
  private static let settings = ["PGHOST", "PGPORT", "PGDATABASE", "PGUSER", "PGPASSWORD"]

  /// Sets the variables of this process that are given by files, before anything asks for them: libpq
  /// reads its own from the environment.
  ///
  /// - Parameter withURLs: Whether the variables that name the database are among them.
  /// - Throws: That a file cannot be read, is empty or holds no text, or that the variable is set as well.
  static func setVariables(withURLs: Bool) throws {
    let environment = CommandEnvironment.process
    for name in (withURLs ? urls : []) + settings {
      guard let path = environment[name + "_FILE"] else { continue }
      guard environment[name] == nil else { throw UsageError(.conflict(name, name + "_FILE")) }
      let bytes: ArraySlice<UInt8>
      do {
        let all = try ModelFile.read(path, waitingForPipe: true)
        // Some editors mark a file as UTF-8.
        bytes = all.dropFirst(all.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0)
      } catch {
        throw UsageError(.unreadableSecret(variable: name + "_FILE", reason: error.reason))
      }
      // An editor ends the last line; the secret has no end of line.
      let end = bytes.lastIndex { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
      guard let end else { throw UsageError(.emptySecret(variable: name + "_FILE")) }
      // An environment variable cannot contain the one, and the other is a mistake.
      guard let secret = String(validating: bytes[...end], as: UTF8.self), !secret.utf8.contains(0)
      else { throw UsageError(.binarySecret(variable: name + "_FILE")) }
      setenv(name, secret, 1)
    }
  }
}
