internal import PostgresClient
import RemodelKit
internal import SQLSyntax
internal import Synchronization

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// A server of one test, which restarts whenever it ends.
package final class RestartingServer {
  /// How a server ends.
  package enum Shutdown: CaseIterable, Sendable {
    /// Sessions are ended, as `pg_ctl stop -m fast` does.
    case fast
    /// As after a crash, as `pg_ctl stop -m immediate` does.
    case immediate
  }

  /// The folder of everything of it, its socket too.
  package let directory: String
  /// Its port, also of the socket.
  package let port: Int

  private let shell: UnsafeMutablePointer<FILE>

  /// Where a server is.
  package struct Address: Hashable, Sendable {
    let directory: String
    let port: Int

    /// Returns the URL of a database, as a superuser.
    func url(of database: String) -> String {
      "postgresql:///\(database)?host=\(directory)&port=\(port)&user=postgres"
    }
  }

  /// Where it is.
  package var address: Address { Address(directory: directory, port: port) }

  /// The URL of one of its databases, as a superuser.
  package func url(of database: String = "postgres") -> String { address.url(of: database) }

  /// Starts a server, which may not accept connections yet.
  ///
  /// - Parameters:
  ///   - primary: The folder of its primary; `nil` for a primary.
  ///   - original: The folder of a server to copy, for an independent one.
  ///   - isOnNetwork: Whether it listens at 127.0.0.1, at a port that is probably free.
  ///   - settings: Further arguments of `postgres`, as a shell reads them.
  ///   - rules: The first lines of `pg_hba.conf`.
  /// - Throws: An error if there are no programs of a server.
  package init(
    standbyOf primary: String? = nil,
    cloneOf original: String? = nil,
    isOnNetwork: Bool = false,
    settings: String = "",
    rules: String = ""
  ) async throws {
    let found = try await ServerBinaries.find()
    let binaries = TestServer.binaries ?? found.path
    let directory = Self.newDirectory()
    let template = try Self.template.directory(binaries)
    port = isOnNetwork ? Int.random(in: 20_000..<32_000) : 5432
    let address = isOnNetwork ? "127.0.0.1" : ""
    let command = """
      binaries='\(binaries)' directory='\(directory)' primary='\(primary ?? "")' \
      original='\(original ?? "")' rules='\(rules)' template='\(template)'
      start() { run "$binaries/postgres" -D data -k "$directory" -p \(port) -c fsync=off \
      -c listen_addresses=\(address) -c max_connections=60 \(settings); }
      \(beginning)
      \(script)
      """
    guard let shell = popen(command, "w") else { throw StartError() }
    self.directory = directory
    self.shell = shell
  }

  /// Makes a database as soon as the server accepts connections.
  ///
  /// - Parameter name: The name of the database.
  /// - Returns: Its URL.
  /// - Throws: The server's error.
  package func makeDatabase(_ name: String) async throws -> String {
    let session = try await PostgresSession.connect(to: .url(url()), wait: .seconds(600))
    try await session.run { try $0.execute("CREATE DATABASE \(SQLIdentifier(name))") }
    await session.close()
    return url(of: name)
  }

  private struct StartError: Error {}

  private static func newDirectory() -> String {
    let temporary = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    return "\(temporary)/remodel-\(UInt32.random(in: .min ... .max))"
  }

  private static let template = Template()

  /// The files that all servers begin with, since to make them takes as long as many a test: a shell makes
  /// them, and removes them when the process ends.
  private final class Template: Sendable {
    private let made = Mutex<String?>(nil)

    func directory(_ binaries: String) throws -> String {
      try made.withLock { made in
        if let made { return made }
        let directory = RestartingServer.newDirectory()
        let command = """
          binaries='\(binaries)' directory='\(directory)'
          \(beginning)
          \(templateScript)
          """
        guard popen(command, "w") != nil else { throw StartError() }
        made = directory
        return directory
      }
    }
  }

  deinit {
    // The end of its input is the end of it.
    pclose(shell)
  }

  /// Ends the server, and returns when it has ended.
  package static func shutDown(_ directory: String, _ shutdown: Shutdown = .immediate) {
    var text = [CChar](repeating: 0, count: 32)
    guard let file = fopen("\(directory)/data/postmaster.pid", "r") else { return }
    fgets(&text, 32, file)
    fclose(file)
    let process = atoi(text)
    guard process > 1 else { return }
    switch shutdown {
    case .fast: kill(process, SIGINT)
    case .immediate: kill(process, SIGQUIT)
    }
    for _ in 0..<500 where kill(process, 0) == 0 { usleep(10_000) }
  }
}

private let beginning = #"""
  exec 3<&0 </dev/null
  run() {
    if [ "$(id -u)" = 0 ]; then setpriv --reuid=postgres --regid=postgres --clear-groups "$@"
    else "$@"; fi
  }
  mkdir -m 755 "$directory" && cd "$directory" || exit
  [ "$(id -u)" != 0 ] || chown postgres "$directory"
  """#

private let templateScript = #"""
  run "$binaries/initdb" --pgdata=data --auth=trust --no-sync --encoding=UTF8 --locale=C \
    --username=postgres >log 2>&1 3<&-
  touch made
  cat <&3 >/dev/null
  cd / && rm -rf "$directory"
  """#

private let script = #"""
  if [ -n "$primary$original" ]; then
    # The folder may have only links to the server's own programs.
    copying="$(dirname "$(readlink -f "$binaries/postgres")")/pg_basebackup"
    for i in $(seq 600); do
      ! run "$copying" --host="$primary$original" --port=5432 \
        --username=postgres --pgdata=data ${primary:+--write-recovery-conf} --checkpoint=fast --no-sync >>log 2>&1 3<&- || break
      sleep 0.1
    done
  else
    while [ ! -e "$template/made" ]; do sleep 0.1; done
    run cp -R "$template/data" data >log 2>&1 3<&-
    { printf '%s\n' "$rules"; cat data/pg_hba.conf; } >hba && cat hba >data/pg_hba.conf
  fi
  (
    cat <&3
    touch stop
    # It may be about to come up again.
    while [ -e stop ]; do
      kill -INT "$(head -n 1 data/postmaster.pid)"
      sleep 0.2
    done
  ) >/dev/null 2>&1 &
  exec 3<&-
  while [ ! -e stop ]; do
    start >>log 2>&1
  done
  cd / && rm -rf "$directory"
  """#
