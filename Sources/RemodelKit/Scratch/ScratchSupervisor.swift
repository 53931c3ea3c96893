import Subprocess

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The shell that supervises a throwaway server, and its output.
actor ScratchSupervisor {
  private let binaries: ServerBinaries
  private let settings: [String: Int]
  private let superuser: ScratchSuperuser
  private let keep: Bool
  private var supervision: Task<Void, Never>?
  private var started: CheckedContinuation<(directory: String, processID: Int), any Error>?
  private var processID: Int?
  private let stopping = AsyncStream.makeStream(of: Never.self)

  /// Why the server ended without our asking.
  private(set) var failure: ScratchError?

  init(
    binaries: ServerBinaries,
    settings: [String: Int],
    superuser: ScratchSuperuser,
    keep: Bool
  ) {
    self.binaries = binaries
    self.settings = settings
    self.superuser = superuser
    self.keep = keep
  }

  /// Makes the server's files and starts it; it may not accept connections yet.
  func start() async throws -> (directory: String, processID: Int) {
    try await withCheckedThrowingContinuation { continuation in
      started = continuation
      // A task of its own, so that a cancelled caller still gets the server stopped in order.
      supervision = Task { await supervise() }
    }
  }

  /// Stops the server and returns when its files are removed.
  func stop() async {
    stopping.continuation.finish()
    await supervision?.value
  }

  private func supervise() async {
    var output: [String] = []
    do {
      var options = PlatformOptions()
      // Not in the terminal's foreground group: an interrupt there is for us alone.
      options.createSession = true
      output = try await run(
        .name("sh"),
        arguments: ["-c", launcherScript],
        environment: .custom(environment),
        platformOptions: options,
        input: .inputWriter,
        output: .sequence,
        error: .discarded
      ) { execution in
        try await follow(execution)
      }
      .closureResult
    } catch {
      output = ["could not run sh", "\(error)"]
    }
    let reason = output.first ?? "it ended"
    let error = ScratchError.serverFailed(
      reason: reason,
      log: output.dropFirst().joined(separator: "\n")
    )
    failure = error
    started?.resume(throwing: error)
    started = nil
  }

  /// The variables that the server needs, and no others, since code in the database may read the
  /// environment of its server.
  private var environment: [Environment.Key: String] {
    var environment = ProgramEnvironment.common
    // Nor may it use the passwords in the home folder.
    environment["PGPASSFILE"] = "/dev/null"
    environment["PGSERVICEFILE"] = "/dev/null"
    environment["REMODEL_SCRATCH_SCRIPT"] = supervisorScript
    environment["REMODEL_SCRATCH_BINARIES"] = binaries.path
    environment["REMODEL_SCRATCH_SETTINGS"] = settings.sorted { $0.key < $1.key }
      .map { "-c \($0.key)=\($0.value)" }.joined(separator: " ")
    environment["REMODEL_SCRATCH_SUPERUSER"] = superuser.name
    environment["REMODEL_SCRATCH_PASSWORD"] = superuser.password
    environment["REMODEL_SCRATCH_END"] = keep ? "keep" : "remove"
    let user = UnprivilegedUser.needed
    environment["REMODEL_SCRATCH_USER"] = user?.name
    environment["REMODEL_SCRATCH_GROUP"] = user.map { String($0.groupID) }
    return environment
  }

  private func terminateShell() async {
    guard let processID else { return }
    _ = try? await run(.name("kill"), arguments: ["\(processID)"], output: .discarded)
  }

  /// Reads the output of the shell until it ends, and closes its input to stop it.
  private func follow(
    _ execution: Execution<CustomWriteInput, SequenceOutput, DiscardedOutput>
  ) async throws -> [String] {
    let stops = stopping.stream
    let stopper = Task {
      for await _ in stops {}
      // A shell that is to outlive us does not wait for the end of its input.
      if keep { await terminateShell() }
      try? await execution.standardInputWriter.finish()
    }
    defer { stopper.cancel() }
    var output: [String] = []
    for try await line in execution.standardOutput.strings() {
      let line = line.filter { $0 != "\n" }
      guard let started, line.hasPrefix("started ") else {
        output.append(line)
        continue
      }
      let fields = line.split(separator: " ", maxSplits: 2).map(String.init)
      guard fields.count == 3, let processID = Int(fields[1]) else { continue }
      started.resume(returning: (fields[2], processID))
      self.processID = processID
      self.started = nil
    }
    return output
  }
}

/// A shell that runs `supervisorScript`, as another user if necessary.
///
/// It does not use the user ID of `PlatformOptions`: between fork and exec, glibc may wait forever
/// for threads that do not exist (setgroups after clone3).
private let launcherScript = #"""
  run='eval "$REMODEL_SCRATCH_SCRIPT"'
  [ -n "$REMODEL_SCRATCH_USER" ] || exec sh -c "$run"
  if setpriv --reuid="$REMODEL_SCRATCH_USER" --regid="$REMODEL_SCRATCH_GROUP" --clear-groups true
  then
    exec setpriv --reuid="$REMODEL_SCRATCH_USER" --regid="$REMODEL_SCRATCH_GROUP" --clear-groups \
      sh -c "$run"
  fi
  exec su -s /bin/sh "$REMODEL_SCRATCH_USER" -c "$run"
  """#

/// Starts the server and waits for the end of its standard input, which `stop()` or the death of
/// this process closes; then it stops the server and removes its files.
private let supervisorScript = #"""
  binaries=$REMODEL_SCRATCH_BINARIES
  settings=$REMODEL_SCRATCH_SETTINGS
  superuser=$REMODEL_SCRATCH_SUPERUSER
  password=$REMODEL_SCRATCH_PASSWORD
  end=$REMODEL_SCRATCH_END
  unset REMODEL_SCRATCH_SCRIPT REMODEL_SCRATCH_BINARIES REMODEL_SCRATCH_SETTINGS REMODEL_SCRATCH_END
  unset REMODEL_SCRATCH_USER REMODEL_SCRATCH_GROUP REMODEL_SCRATCH_SUPERUSER REMODEL_SCRATCH_PASSWORD
  umask 077
  cd /
  exec 3<&0 </dev/null
  trap '' PIPE

  # A socket's path may have 103 bytes on macOS and 107 on Linux.
  directory=
  for parent in "${TMPDIR:-/tmp}" /tmp; do
    case $parent in
      *[!A-Za-z0-9/._-]*) continue ;;
      /*) ;;
      *) continue ;;
    esac
    [ "${#parent}" -le 70 ] || continue
    directory=$(mktemp -d "$parent/remodel-XXXXXX") && break
  done
  [ -n "$directory" ] || { echo "could not create a temporary folder"; exit 1; }

  server=
  stopping=
  trap 'rm -rf "$directory"' EXIT
  trap 'stopping=yes; [ -z "$server" ] || kill -INT "$server"' HUP INT TERM
  fail() {
    echo "$1"
    tail -n 20 "$directory/log"
    exit 1
  }

  authentication=--auth=trust
  if [ -n "$password" ]; then
    printf '%s\n' "$password" >"$directory/password"
    authentication="--auth=scram-sha-256 --pwfile=$directory/password"
  fi
  "$binaries/initdb" --pgdata="$directory/data" $authentication --no-sync --encoding=UTF8 \
    --locale=C --username="$superuser" >"$directory/log" 2>&1 3<&- || fail "initdb failed"
  rm -f "$directory/password"
  "$binaries/postgres" -D "$directory/data" -k "$directory" -p 5432 -c listen_addresses= \
    -c fsync=off -c full_page_writes=off -c synchronous_commit=off -c max_connections=60 \
    -c max_wal_size=4GB -c checkpoint_timeout=1h -c max_prepared_transactions=30 $settings \
    >"$directory/log" 2>&1 3<&- &
  server=$!

  watcher=
  if [ "$end" = remove ]; then
    (
      while read -r line; do :; done
      for signal in INT INT INT INT INT QUIT QUIT KILL; do
        kill -s "$signal" "$server" || exit
        sleep 2
      done
    ) <&3 >/dev/null 2>&1 &
    watcher=$!
  fi
  exec 3<&-
  [ -z "$stopping" ] || kill -INT "$server"
  echo "started $$ $directory"

  while :; do
    wait "$server"
    status=$?
    kill -0 "$server" 2>/dev/null || break
  done
  [ -z "$watcher" ] || kill "$watcher" 2>/dev/null
  [ "$status" -eq 0 ] || [ -n "$stopping" ] || fail "the server ended"
  """#
