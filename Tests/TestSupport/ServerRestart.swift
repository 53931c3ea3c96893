internal import Synchronization

/// The end of a restarting server when something has reached a place so many times.
public final class ServerRestart: Sendable {
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
  public init(at target: Int, _ directory: String, _ shutdown: RestartingServer.Shutdown) {
    self.target = target
    self.directory = directory
    self.shutdown = shutdown
  }

  /// A Boolean value that indicates whether the place was reached.
  public var hasHappened: Bool { count.withLock { $0 >= target } }

  /// Notes that a place is reached, and ends the server if it is the one.
  public func reach() {
    let reached = count.withLock { count in
      count += 1
      return count
    }
    if reached == target { RestartingServer.shutDown(directory, shutdown) }
  }
}
