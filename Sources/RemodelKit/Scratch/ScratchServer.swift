import PostgresClient

/// A throwaway PostgreSQL server on a private socket, which removes all its files at its end.
///
/// It does not listen on a network. It also ends when the process that started it is killed.
public struct ScratchServer: Sendable {
  /// The URL of its database `postgres`, as a superuser.
  public let url: String
  /// The folder that holds everything of the server, its socket too.
  public let directory: String
  /// The shell command that stops a server that was kept and removes its files.
  public let stopCommand: String

  private let supervisor: ScratchSupervisor

  /// Starts a server that runs until `stop()`, or as long as this process does.
  ///
  /// - Parameters:
  ///   - binaries: The folder of `initdb` and `postgres`; searched if it is `nil`.
  ///   - keep: Whether the server continues when this process ends.
  /// - Returns: The server, which accepts connections.
  /// - Throws: A `ScratchError`, or a `PostgresError`.
  public static func start(
    binaries: String? = nil,
    keep: Bool = false
  ) async throws -> ScratchServer {
    let binaries =
      if let binaries { try ServerBinaries(at: binaries) } else { try await ServerBinaries.find() }
    // Compiling queries takes longer than running them over the few rows that such a server has.
    return try await start(binaries, settings: ["jit": 0], superuser: .trusted, keep: keep)
  }

  static func start(
    _ binaries: ServerBinaries,
    settings: [String: Int],
    superuser: ScratchSuperuser,
    keep: Bool
  ) async throws -> ScratchServer {
    let supervisor = ScratchSupervisor(
      binaries: binaries,
      settings: settings,
      superuser: superuser,
      keep: keep
    )
    let started = try await supervisor.start()
    let server = ScratchServer(
      url: "postgresql:///postgres?host=\(started.directory)&port=5432&user=\(superuser.name)",
      directory: started.directory,
      stopCommand: "kill \(started.processID)",
      supervisor: supervisor
    )
    do {
      try await server.waitUntilReady(superuser)
    } catch {
      await server.stop()
      throw error
    }
    return server
  }

  /// Calls a function with a server and removes the server afterwards.
  ///
  /// - Parameters:
  ///   - binaries: The folder of `initdb` and `postgres`; searched if it is `nil`.
  ///   - keep: Whether to leave the server running instead.
  ///   - body: The function.
  /// - Returns: The function's result.
  /// - Throws: A `ScratchError`, or the function's error.
  public static func withServer<Result>(
    binaries: String? = nil,
    keep: Bool = false,
    _ body: (ScratchServer) async throws -> Result
  ) async throws -> Result {
    let server = try await start(binaries: binaries, keep: keep)
    return try await server.use(keep: keep, body)
  }

  /// Gives the server to a function and removes it afterwards.
  func use<Result>(
    keep: Bool = false,
    _ body: (ScratchServer) async throws -> Result
  ) async throws -> Result {
    do {
      let result = try await body(self)
      if !keep { await stop() }
      return result
    } catch {
      if !keep { await stop() }
      throw error
    }
  }

  /// Stops the server and returns when its files are removed.
  public func stop() async {
    await supervisor.stop()
  }

  private func waitUntilReady(_ superuser: ScratchSuperuser) async throws {
    let clock = ContinuousClock()
    let deadline = clock.now + .seconds(60)
    while true {
      do {
        let password = superuser.password.map { "&password=\($0)" } ?? ""
        _ = try await PostgresSession.connect(to: .url(url + password))
        return
      } catch {
        guard error.isServerNotReady, clock.now < deadline else { throw error }
        if let failure = await supervisor.failure { throw failure }
        try await Task.sleep(for: .milliseconds(20))
      }
    }
  }
}
