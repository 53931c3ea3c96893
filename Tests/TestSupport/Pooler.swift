internal import FoundationEssentials

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// A PgBouncer of a test's own, in front of the server of a database.
package final class Pooler {
  /// How long a client keeps a session.
  package enum Mode: String, Sendable {
    case session, transaction, statement
  }

  /// The URL of the database through the pooler.
  package let url: String

  private let shell: UnsafeMutablePointer<FILE>

  /// Why tests of it are skipped.
  package static let absence = "PgBouncer is not installed; Tests/install-dependencies.sh does so"

  /// A Boolean value that indicates whether tests of it are to run, which they have to in CI.
  package static var isAvailable: Bool {
    path != nil || ProcessInfo.processInfo.environment["CI"] == "true"
  }

  private static var path: String? {
    let folders = ["/usr/sbin", "/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"]
    return folders.map { "\($0)/pgbouncer" }.first { access($0, X_OK) == 0 }
  }

  /// Starts a pooler, which may not accept connections yet.
  ///
  /// - Parameters:
  ///   - url: The URL of a database, as tests get one.
  ///   - mode: How long a client keeps a session.
  ///   - size: The number of its sessions.
  ///   - clients: The maximum number of clients.
  ///   - resets: Whether a session is reset when its client disconnects.
  /// - Throws: An error if PgBouncer is missing.
  package init(
    of url: String,
    _ mode: Mode,
    size: Int = 20,
    clients: Int = 100,
    resets: Bool = true
  ) throws {
    let parts = url.split(separator: "host=", maxSplits: 1)
    guard let path = Self.path, parts.count == 2, let host = parts[1].split(separator: "&").first
    else { throw StartError() }
    let temporary = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    let directory = "\(temporary)/remodel-pooler-\(UInt32.random(in: .min ... .max))"
    let command = """
      pooler='\(path)' directory='\(directory)' host='\(host)' mode=\(mode.rawValue) size=\(size) \
      clients=\(clients) \
      reset='\(resets ? "DISCARD ALL" : "")'
      \(script)
      """
    guard let shell = popen(command, "w") else { throw StartError() }
    self.shell = shell
    self.url = url.replacing("host=\(host)", with: "host=\(directory)")
  }

  private struct StartError: Error {}

  deinit {
    // The end of its input is the end of it.
    pclose(shell)
  }
}

private let script = #"""
  exec 3<&0 </dev/null
  # It takes the place of its shell, which gets the signal at the end.
  run() {
    [ "$(id -u)" != 0 ] || exec setpriv --reuid=postgres --regid=postgres --clear-groups "$@"
    exec "$@"
  }
  mkdir -m 755 "$directory" && cd "$directory" || exit
  [ "$(id -u)" != 0 ] || chown postgres "$directory"
  cat >pooler.ini <<END
  [databases]
  * = host=$host port=5432 user=postgres
  [pgbouncer]
  listen_port = 5432
  unix_socket_dir = $directory
  auth_type = any
  pool_mode = $mode
  default_pool_size = $size
  max_client_conn = $clients
  server_reset_query = $reset
  END
  run "$pooler" --quiet pooler.ini >log 2>&1 3<&- &
  cat <&3 >/dev/null
  kill -TERM $!
  wait
  cd / && rm -rf "$directory"
  """#
