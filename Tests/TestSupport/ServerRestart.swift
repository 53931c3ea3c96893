internal import Synchronization
internal import Testing

/// The end of a restarting server when something has reached a place so many times.
package final class ServerRestart: Sendable {
  private let target: Int
  private let directory: String
  private let shutdown: RestartingServer.Shutdown
  private let count = Mutex(0)

  /// Creates a restart.
  ///
  /// - Parameters:
  ///   - target: The number of the place at which the server ends.
  ///   - directory: The folder of the server.
  ///   - shutdown: How it ends.
  package init(at target: Int, _ directory: String, _ shutdown: RestartingServer.Shutdown) {
    self.target = target
    self.directory = directory
    self.shutdown = shutdown
  }

  /// A Boolean value that indicates whether the place was reached.
  package var hasHappened: Bool { count.withLock { $0 >= target } }

  /// Notes that a place is reached, and ends the server if it is the one.
  package func reach() {
    let reached = count.withLock { count in
      count += 1
      return count
    }
    if reached == target { RestartingServer.shutDown(directory, shutdown) }
  }

  /// Runs a function in one database after another, each time with the end of the server at a later
  /// place, up to a place that is not reached, and expects equal databases at the end.
  ///
  /// - Parameters:
  ///   - name: The name of the work.
  ///   - server: The server.
  ///   - distances: The possible distances between two places.
  ///   - run: The function, which gets the name of a database and a restart if there is one, and
  ///     returns the database's state.
  /// - Throws: The function's error.
  package static func expectSameEnd(
    of name: String,
    on server: RestartingServer,
    every distances: ClosedRange<Int>,
    _ run: (_ database: String, _ restart: ServerRestart?) async throws -> [String]
  ) async throws {
    let expected = try await run("expected", nil)
    var target = 1
    var count = 0
    while true {
      let shutdown = count.isMultiple(of: 2) ? RestartingServer.Shutdown.fast : .immediate
      let restart = ServerRestart(at: target, server.directory, shutdown)
      let found = try await run("restart_\(target)", restart)
      #expect(found == expected, "\(name) place \(target) \(shutdown)")
      guard restart.hasHappened else { break }
      count += 1
      target += RandomCases.distance(distances, after: target)
    }
    #expect(count > 1, "there are more places than \(count)")
  }
}
