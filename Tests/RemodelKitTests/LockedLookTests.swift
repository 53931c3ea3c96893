import Synchronization
import TestSupport
import Testing

@testable import MigrationExecution
@testable import RemodelKit

/// Who changes a store takes the migration lock before looking at it, and who only looks never does.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct LockedLookTests {
  private let versions = [
    "remodel: 1\nentities:\n  Book: { attributes: { title: string } }\n",
    "remodel: 1\nentities:\n  Book: { attributes: { title: string, pages: integer32? } }\n",
  ]

  @Test
  func `a migration and a revert have the lock when they have planned`() async throws {
    try await withBundle(versions) { bundle in
      try await TestServer.withDatabase { url in
        let configuration = RemodelConfiguration(modelsPath: bundle)
        let store = try VersionCatalog(configuration).store
        let isFree = Mutex<[Bool]>([])
        let remodel = Remodel(configuration) { event in
          guard case .stepPlanned = event else { return }
          let found = try? isLockFree(of: store, url)
          isFree.withLock { $0.append(found ?? true) }
        }

        _ = try await remodel.migrate(.url(url), to: "1")
        _ = try await remodel.migrate(.url(url))
        _ = try await remodel.revert(.url(url), acceptingLosses: true)

        #expect(isFree.withLock(\.self) == [false, false, false])
        #expect(try isLockFree(of: store, url))
      }
    }
  }

  @Test
  func `who only looks does not wait for a migrator`() async throws {
    try await withBundle(versions) { bundle in
      try await TestServer.withDatabase { url in
        var configuration = RemodelConfiguration(modelsPath: bundle)
        configuration.waitForMigrationLock = .zero
        let remodel = Remodel(configuration)
        _ = try await remodel.migrate(.url(url), to: "1")
        let migrator = try PostgresConnection.session(to: .url(url))
        let store = try VersionCatalog(configuration).store
        var lock = MigrationLock(of: store, outlastsTransactions: true)
        #expect(try lock.take(migrator))

        #expect(try await remodel.plan(.url(url)).plan.steps.count == 1)
        #expect(try await !remodel.check(.url(url)).isCurrent)
        _ = try await remodel.status(.url(url))
        _ = try await remodel.verify(.url(url))
        _ = try await remodel.history(.url(url))
        _ = try await remodel.migrate(.url(url), to: "1")
        let error = await #expect(throws: ExecutionError.self) {
          try await remodel.migrate(.url(url))
        }

        guard case .migrationLockNotAvailable(_, let holder)? = error?.fact else {
          Issue.record("\(error as Any)")
          return
        }
        #expect(holder?.pid == migrator.backendPID)
      }
    }
  }

  private func isLockFree(of store: StoreIdentity, _ url: String) throws -> Bool {
    var lock = MigrationLock(of: store, outlastsTransactions: false)
    return try lock.take(PostgresConnection(to: .url(url)))
  }
}
