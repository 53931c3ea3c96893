#if DEBUG
import RemodelKit
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

extension RemodelConfiguration {
  /// Applies the settings of debug builds, from the variables of tests.
  mutating func setTrials(_ environment: CommandEnvironment) {
    if let failpoints = Failpoints(environment) { copySettings.failpoints = failpoints }
    takesTablesForLarge = environment["REMODEL_LARGE_TABLES"] != nil
    if let silence = environment["REMODEL_SILENCE"].flatMap(Double.init) {
      copySettings.silence = silence
    }
  }
}

extension CommandEnvironment {
  /// The time between two reports of progress, of debug builds.
  var progressPause: Duration? { self["REMODEL_PROGRESS_PAUSE"].flatMap { Duration(text: $0) } }
}

extension Failpoints {
  /// Creates failpoints, of which the variable `REMODEL_FAILPOINT` names one, its occurrence, and
  /// the action: `chunk.before_commit:3:kill9`.
  ///
  /// `kill9` kills this process, `terminate` ends its session, `stop` stops it until a signal
  /// continues it. Only debug builds read the variable.
  fileprivate init?(_ environment: CommandEnvironment) {
    let parts = environment["REMODEL_FAILPOINT"]?.split(separator: ":").map(String.init) ?? []
    guard parts.count == 3, let count = Int(parts[1]), count > 0 else { return nil }
    let left = Countdown(count)
    self.init { name, connection in
      guard name == parts[0], left.isOver() else { return }
      switch parts[2] {
      case "kill9": kill(getpid(), SIGKILL)
      case "stop":
        kill(getpid(), SIGSTOP)
        // The signal may stop another thread first, and this one a little later.
        usleep(200_000)
      case "terminate": _ = try? connection.query("SELECT pg_terminate_backend(pg_backend_pid())")
      default: break  // What nobody knows does nothing.
      }
    }
  }
}

/// Counts how often something is still to happen.
private final class Countdown: Sendable {
  private let left: Mutex<Int>

  init(_ count: Int) {
    left = Mutex(count)
  }

  /// Counts, and returns whether this was the last time.
  func isOver() -> Bool {
    left.withLock { left in
      left -= 1
      return left == 0
    }
  }
}
#else
extension CommandEnvironment {
  /// The usual time passes between two reports of progress.
  var progressPause: Duration? { nil }
}
#endif
