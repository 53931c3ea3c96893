import RemodelKit
import SQLSyntax
import Synchronization
import TestSupport
import Testing

/// Migrations that are cut off while rows pass through a policy.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct PolicyFaultTests {
  private struct Dead: Error {}

  private func expected(books: Int) async throws -> [String] {
    try await Shelf.withBundle { bundle, url in
      try await Shelf.fill(bundle, url, books: books)
      _ = try await Shelf.remodel(bundle, RomanPages()).migrate(.url(url))
      return try Shelf.books(url)
    }
  }

  @Test(
    arguments: RandomCases.one(
      in: 2,
      of: ["chunk.begin", "chunk.passed", "chunk.before_commit", "chunk.after_commit"]
    ),
    [1, 3]
  )
  func `a job that dies in the middle has the same result`(
    place: String,
    time: Int
  ) async throws {
    let expected = try await expected(books: 650)
    try await Shelf.withBundle { bundle, url in
      try await Shelf.fill(bundle, url, books: 650)
      let count = Mutex(0)
      let failpoints = Failpoints { name, connection in
        let isReached = count.withLock { count in
          if name == place { count += 1 }
          return count >= time
        }
        guard isReached else { return }
        // What is dead does nothing at all.
        let pid = SQLLiteral.integer(Int64(connection.backendPID))
        _ = try? PostgresConnection(to: .url(url)).query(
          "SELECT pg_terminate_backend(\(pid), 5000)"
        )
        throw Dead()
      }

      await #expect(throws: (any Error).self) {
        try await Shelf.remodel(bundle, RomanPages(), strategy: .gated, failpoints: failpoints)
          .migrate(.url(url))
      }
      _ = try await Shelf.remodel(bundle, RomanPages(), strategy: .gated).migrate(.url(url))

      #expect(try Shelf.books(url) == expected)
    }
  }

  @Test
  func `a copy begun with another version of the policy is not continued`() async throws {
    try await Shelf.withBundle { bundle, url in
      try await Shelf.fill(bundle, url, books: 650)
      let failpoints = Failpoints { name, _ in
        if name == "chunk.after_commit" { throw Dead() }
      }
      await #expect(throws: (any Error).self) {
        try await Shelf.remodel(bundle, RomanPages(), strategy: .gated, failpoints: failpoints)
          .migrate(.url(url))
      }

      let error = await #expect(throws: ExecutionError.self) {
        try await Shelf.remodel(bundle, RomanPages(version: "2"), strategy: .gated)
          .migrate(.url(url))
      }

      guard case .jobUnfinished(_, .otherPlan) = error?.fact else {
        Issue.record("\(String(describing: error))")
        return
      }
    }
  }

  @Test(arguments: [CopyStrategy.locked, .gated])
  func `a migration is interrupted between two batches`(strategy: CopyStrategy) async throws {
    let expected = try await expected(books: 650)
    try await Shelf.withBundle { bundle, url in
      try await Shelf.fill(bundle, url, books: 650)
      let interruption = Interruption()
      let policy = RomanPages { source in
        if source.objectID == "150" { interruption.interrupt(signal: 15) }
        return [try RomanPages.read(source)]
      }
      let remodel = Remodel(
        Shelf.remodel(bundle, policy, strategy: strategy).configuration,
        interruption: interruption
      )

      let error = await #expect(throws: ExecutionError.self) {
        try await remodel.migrate(.url(url))
      }

      #expect(error?.fact == .interrupted(signal: 15))
      _ = try await Shelf.remodel(bundle, RomanPages(), strategy: strategy).migrate(.url(url))
      #expect(try Shelf.books(url) == expected)
    }
  }

  /// Keeps the sizes of batches.
  private struct Noting: EntityMigrationPolicy {
    final class Sizes: Sendable {
      let all = Mutex<[Int]>([])
    }

    let version = "1"
    let sizes = Sizes()

    func instanceCreation(for mapping: EntityMapping) throws -> InstanceCreation? {
      InstanceCreation(setting: ["pages"])
    }

    func createDestinationInstances(
      forSource instances: [SourceInstance],
      in mapping: EntityMapping
    ) throws -> [DestinationInstance] {
      let bytes = instances.map { $0.texts.reduce(0) { $0 + ($1?.utf8.count ?? 0) } }
      sizes.all.withLock { $0.append(bytes.reduce(0, +)) }
      return instances.map(DestinationInstance.init(of:))
    }
  }

  @Test(.sampled(oneIn: 3))
  func `a batch has no more bytes than there is room for`() async throws {
    try await Shelf.withBundle { bundle, url in
      try await Shelf.fill(bundle, url, books: 120)
      try PostgresConnection(to: .url(url)).execute(
        "UPDATE public.book SET title = repeat('x', CASE WHEN _id = 50 THEN 5000000 ELSE 100000 END)"
      )
      let policy = Noting()

      _ = try await Shelf.remodel(bundle, policy).migrate(.url(url))

      let sizes = policy.sizes.all.withLock(\.self)
      #expect(sizes.reduce(0, +) > 16_000_000)
      #expect(sizes.filter { $0 > 2_000_000 }.count == 1)
      #expect(
        try Shelf.value("SELECT count(*) || ' ' || sum(length(title)) FROM public.book", url)
          == "120 16900000"
      )
    }
  }
}
