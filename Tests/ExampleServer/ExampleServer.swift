import Dispatch
import FlyingFox
import FlyingSocks
import Foundation
import Logging
import RemodelKit

/// A service that brings its database up to date before it serves, whichever replica comes first.
@main
struct ExampleServer {
  let database: ConnectionSource
  let remodel: Remodel
  let logger: Logger

  static func main() async throws {
    LoggingSystem.bootstrap { StreamLogHandler.standardError(label: $0) }
    let environment = ProcessInfo.processInfo.environment
    let server = ExampleServer(
      database: environment["DATABASE_URL"].map { .url($0) } ?? .environment,
      remodel: Remodel(models: environment["MODELS"] ?? "migrations", wait: .seconds(30)),
      logger: Logger(label: "example")
    )
    let work = Task { try await server.run() }
    // The default handler of the signal would end the process at once.
    signal(SIGTERM, SIG_IGN)
    let termination = DispatchSource.makeSignalSource(signal: SIGTERM)
    termination.setEventHandler { @Sendable in work.cancel() }
    termination.resume()
    do {
      try await work.value
    } catch {
      guard work.isCancelled else { throw error }
      server.logger.info("ended")
    }
  }

  func run() async throws {
    try await migrate()
    let server = HTTPServer(address: try .inet(ip4: "127.0.0.1", port: 0), logger: .disabled)
    await server.appendRoute("/health") { _ in
      HTTPResponse(statusCode: await isCurrent() ? .ok : .serviceUnavailable)
    }
    try await withThrowingTaskGroup { group in
      group.addTask { try await server.run() }
      try await server.waitUntilListening()
      let address = await server.listeningAddress
      logger.info("serving", metadata: ["address": "\(address, default: "unknown")"])
      try await group.waitForAll()
    }
  }

  private func migrate() async throws {
    let migration = remodel.migration(of: database)
    for await event in migration.events { logger.debug("\(event)") }
    let report = try await migration.report
    logger.info(
      "migrated",
      metadata: ["outcome": "\(report.outcome)", "version": "\(report.target.name)"]
    )
  }

  private func isCurrent() async -> Bool {
    do {
      return try await remodel.check(database).isCurrent
    } catch {
      logger.error("\(error)")
      return false
    }
  }
}
