import RemodelKit

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// A server of a test's own, which comes up again whenever it ends.
public final class RestartingServer {
  /// The folder of everything of it, its socket too.
  public let directory: String

  private let shell: UnsafeMutablePointer<FILE>

  /// The URL of one of its databases, as a superuser.
  public func url(of database: String = "postgres") -> String {
    "postgresql:///\(database)?host=\(directory)&port=5432&user=postgres"
  }

  /// Starts a server, which may not accept connections yet.
  public init() async throws {
    let found = try await ServerBinaries.find()
    let binaries = TestServer.binaries ?? found.path
    let directory = "/tmp/remodel-\(UInt32.random(in: .min ... .max))"
    let command = "binaries='\(binaries)' directory='\(directory)'\n\(script)"
    guard let shell = popen(command, "w") else { throw StartError() }
    self.directory = directory
    self.shell = shell
  }

  private struct StartError: Error {}

  deinit {
    // The end of its input is the end of it.
    pclose(shell)
  }

  /// Ends the server at once, as `pg_ctl stop -m immediate` does.
  public static func shutDown(_ directory: String) {
    var text = [CChar](repeating: 0, count: 32)
    guard let file = fopen("\(directory)/data/postmaster.pid", "r") else { return }
    fgets(&text, 32, file)
    fclose(file)
    let process = atoi(text)
    guard process > 1 else { return }
    kill(process, SIGQUIT)
    // Until it is gone.
    for _ in 0..<500 where kill(process, 0) == 0 { usleep(10_000) }
  }
}

private let script = #"""
  exec 3<&0 </dev/null
  run() {
    if [ "$(id -u)" = 0 ]; then setpriv --reuid=postgres --regid=postgres --clear-groups "$@"
    else "$@"; fi
  }
  mkdir -m 755 "$directory" && cd "$directory" || exit
  [ "$(id -u)" != 0 ] || chown postgres "$directory"
  run "$binaries/initdb" --pgdata=data --auth=trust --no-sync --encoding=UTF8 --locale=C \
    --username=postgres >log 2>&1 3<&-
  (
    cat <&3
    touch stop
    kill -INT "$(head -n 1 data/postmaster.pid)"
  ) >/dev/null 2>&1 &
  exec 3<&-
  while [ ! -e stop ]; do
    run "$binaries/postgres" -D data -k "$directory" -p 5432 -c listen_addresses= -c fsync=off \
      -c max_connections=60 >>log 2>&1
  done
  cd / && rm -rf "$directory"
  """#
