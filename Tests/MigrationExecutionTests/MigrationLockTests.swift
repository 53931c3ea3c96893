import MigrationPlanning
import ObjectModel
import PostgresClient
import SQLSyntax
import Synchronization
import TestSupport
import Testing

@testable import MigrationExecution

@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct MigrationLockTests {
  private let store = StoreIdentity(schema: "public", modelName: "M", metadataSchema: "remodel")

  @Test
  func `a creation in parts keeps its turn until its end and no longer`() async throws {
    let model = ManagedObjectModel(entities: ["A", "B", "C"].map { EntityDescription(name: $0) })
    let version = PlannedVersion(
      name: "1",
      hashes: model.versionHashes(),
      projection: try ModelProjection(model, schema: "public")
    )
    let step = try MigrationPlanner().step(creating: version)
      .divided(from: 0, limit: 1)

    try await TestServer.withDatabase { url in
      let connection = try PostgresConnection(to: .url(url))
      try connection.prepareSession()
      try MetadataStore(store).createOrUpgrade(connection, Interruption())
      let freeBetween = Mutex<[Bool]>([])
      let execution = StepExecution(
        step,
        in: store,
        settings: StepExecution.Settings(
          lockTimeout: .seconds(5),
          lockRetryFor: .seconds(5),
          waitForMigrationLock: .seconds(5)
        ),
        source: .url(url),
        interruption: Interruption(),
        onEvent: { [self] event in
          guard case .statement("COMMIT", _, _) = event else { return }
          let isFree = (try? isMigrationLockFree(url)) ?? true
          freeBetween.withLock { $0.append(isFree) }
        }
      )

      #expect(try execution.run(connection) == .committed)

      #expect(freeBetween.withLock(\.self) == step.transactions.map { _ in false })
      #expect(step.transactions.count > 1)
      #expect(try isMigrationLockFree(url))
    }
  }

  @Test
  func `nobody says of an attempt that has succeeded that it failed`() async throws {
    let version = PlannedVersion(
      name: "1",
      hashes: ManagedObjectModel(entities: []).versionHashes(),
      projection: try ModelProjection(ManagedObjectModel(entities: []), schema: "public")
    )
    let step = try MigrationPlanner().step(creating: version)
    let statements = MetadataStatements(store)
    try await TestServer.withDatabase { url in
      let connection = try PostgresConnection(to: .url(url))
      try MetadataStore(store).createOrUpgrade(connection, Interruption())
      for (digit, hasSucceeded) in ["1": true, "2": false] {
        let attempt = HistoryAttempt(
          id: String(repeating: digit, count: 32),
          startedAt: nil,
          kind: HistoryKind(step.kind)
        )
        let failure = HistoryEvent.failed(sqlState: "08006", error: "lost")
        if hasSucceeded {
          try connection.execute(
            statements.event(.succeeded, of: step, digest: step.digest, attempt: attempt)
          )
        }

        let entered = try connection.execute(
          statements.event(failure, of: step, digest: step.digest, attempt: attempt)
        )

        #expect(entered == (hasSucceeded ? 0 : 1))
      }
    }
  }

  private func isMigrationLockFree(_ url: String) throws -> Bool {
    let other = try PostgresConnection(to: .url(url))
    var migrationLock = MigrationLock(of: store, outlastsTransactions: false)
    return try migrationLock.take(other)
  }
}
