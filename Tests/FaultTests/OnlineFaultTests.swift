import RemodelKit
import Synchronization
import TestSupport
import Testing

/// An online migration that ends at any place, in any way, is continued by a rerun, with the same
/// result.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct OnlineFaultTests {
  /// What happens at a place.
  enum Fault: CaseIterable, Sendable {
    /// The server ends the session.
    case connectionLoss
    /// Somebody interrupts the migration.
    case interruption
  }

  @Test(arguments: Fault.allCases)
  func `a migration in phases that ends at any place is continued by a rerun`(
    fault: Fault
  ) async throws {
    let places = try await endAnywhere(fault, Array(Self.versions.prefix(2)), every: 6...12)

    #expect(places.count > (RandomCases.isEverything ? 30 : 3))
    #expect(places.contains { $0.hasPrefix("late.") })
    guard RandomCases.isEverything else { return }
    #expect(Set(places).isSuperset(of: ["late.before_statement", "late.after_commit"]))
    #expect(places.contains { $0.hasPrefix("switch.after_commit") })
  }

  @Test(arguments: RandomCases.one(in: 2, of: Fault.allCases))
  func `one that copies a table, too, is continued by a rerun`(fault: Fault) async throws {
    let places = try await endAnywhere(fault, [Self.versions[0], Self.retyped], every: 8...16)

    #expect(places.count > 3)
    guard RandomCases.isEverything else { return }
    #expect(places.contains { $0.hasPrefix("chunk.") })
    #expect(places.contains { $0.hasPrefix("late.") })
  }

  /// Ends a migration at one place after the other, or at some of them.
  ///
  /// - Returns: The places.
  private func endAnywhere(
    _ fault: Fault,
    _ versions: [String],
    every distances: ClosedRange<Int>
  ) async throws -> [String] {
    try await withBundle(Array(versions)) { bundle in
      let prepared = try await TestServer.makeTemplate { try await prepare(bundle, $0) }
      let expected = try await TestServer.withDatabase(copying: prepared) { url in
        let (migration, finish) = try await migrate(bundle, url)
        #expect(migration == nil && finish == nil)
        return try end(url)
      }
      var position = RandomCases.distance(distances, after: 0)
      var places: [String] = []
      while true {
        let target = position
        let place = try await TestServer.withDatabase(copying: prepared) { url in
          let reached = Mutex<(count: Int, name: String?)>((0, nil))
          let interruption = Interruption()
          let failpoints = Failpoints { name, connection in
            let isHere = reached.withLock { reached in
              reached.count += 1
              if reached.count == target { reached.name = name }
              return reached.count == target
            }
            guard isHere else { return }
            switch fault {
            case .connectionLoss:
              _ = try? connection.query("SELECT pg_terminate_backend(pg_backend_pid())")
            case .interruption: interruption.interrupt(signal: 2)
            }
          }
          _ = try await migrate(bundle, url, failpoints, interruption)
          let (migration, finish) = try await migrate(bundle, url)
          let name = reached.withLock(\.name)
          #expect(migration == nil && finish == nil, "\(target) \(name ?? "")")
          #expect(try end(url) == expected, "\(target) \(name ?? "")")
          let check = try await Remodel(configuration(bundle)).check(.url(url))
          #expect(check.isCurrent, "\(target) \(name ?? "")")
          return name
        }
        guard let place else { return places }
        places.append(place)
        position += RandomCases.distance(distances, after: position)
      }
    }
  }

  @Test
  func `a copy that has begun is continued although its table has become small`() async throws {
    try await withBundle([Self.versions[0], Self.retyped]) { bundle in
      try await TestServer.withDatabase { url in
        try await prepare(bundle, url)
        var settings = configuration(bundle)
        settings.copySettings.failpoints = Failpoints { name, connection in
          guard name == "copied.before_commit" else { return }
          throw PostgresError(.server, "as if the disk were full")
        }
        await #expect(throws: (any Error).self) {
          try await Remodel(settings).migrate(.url(url))
        }
        let job = try #require(try await Remodel(settings).jobs(.url(url)).first)
        // Neither the sizes of the tables nor the settings change its plan.
        let report = try await Remodel(RemodelConfiguration(modelsPath: bundle)).migrate(.url(url))

        #expect(report.outcome == .migrated)
        let jobs = try await Remodel(settings).jobs(.url(url))
        #expect(jobs.map(\.id) == [job.id])
        #expect(jobs.first?.state.isEnded == true)
      }
    }
  }

  @Test
  func `an index that is left invalid is built again`() async throws {
    try await withSampleBundle { bundle in
      try await TestServer.withDatabase { url in
        try await prepare(bundle, url)
        let remodel = Remodel(configuration(bundle))
        _ = try await remodel.migrate(.url(url), to: "2")
        let connection = try PostgresConnection(to: .url(url))
        try connection.execute(
          """
          CREATE INDEX book_title_idx ON public.book (title);
          UPDATE pg_index SET indisvalid = false, indisready = false
            WHERE indexrelid = 'public.book_title_idx'::regclass
          """
        )
        let query: SQLFragment = "SELECT 'public.book_title_idx'::regclass::oid AS oid"
        let left = try connection.query(query).first?["oid"]

        _ = try await remodel.finish(.url(url))

        #expect(try connection.query(query).first?["oid"] != left)
        let valid = try connection.query(
          "SELECT indisvalid FROM pg_index WHERE indexrelid = 'public.book_title_idx'::regclass"
        )
        #expect(valid.first?.boolean("indisvalid") == true)
      }
    }
  }

  @Test
  func
    `duplicates that came meanwhile are told with their keys, and a rerun goes on when they are gone`()
    async throws
  {
    try await withSampleBundle { bundle in
      try await TestServer.withDatabase { url in
        try await prepare(bundle, url)
        let hasWritten = Flag()
        var settings = configuration(bundle)
        settings.copySettings.failpoints = Failpoints { name, _ in
          guard name == "late.before_statement", hasWritten.set() else { return }
          let connection = try PostgresConnection(to: .url(url))
          try connection.execute("UPDATE public.book SET isbn = 'a' WHERE _id IN (1, 2)")
        }
        let error = await #expect(throws: ExecutionError.self) {
          try await Remodel(settings).migrate(.url(url))
        }
        guard case .preconditionsViolated(let findings) = error?.fact else {
          Issue.record("\(error as Any)")
          return
        }
        #expect(findings.map(\.count) == [2])
        #expect(findings.map(\.sampleKeys) == ["1, 2"])
        let remodel = Remodel(configuration(bundle))
        let status = try await remodel.status(.url(url))
        #expect(status.version?.name == "2")
        #expect(status.pending.contains { $0.phase == .now && $0.lastError != nil })
        #expect(try await remodel.check(.url(url)).isCurrent == false)
        let connection = try PostgresConnection(to: .url(url))
        let invalid = try connection.query("SELECT indexrelid FROM pg_index WHERE NOT indisvalid")
        #expect(invalid.isEmpty)

        try connection.execute("UPDATE public.book SET isbn = 'b' WHERE _id = 2")
        #expect(try await remodel.migrate(.url(url)).outcome == .unchanged)
        #expect(try await remodel.check(.url(url)).isCurrent)
      }
    }
  }

  @Test
  func `another index with the name is left alone`() async throws {
    try await withSampleBundle { bundle in
      try await TestServer.withDatabase { url in
        try await prepare(bundle, url)
        let remodel = Remodel(configuration(bundle))
        _ = try await remodel.migrate(.url(url))
        let connection = try PostgresConnection(to: .url(url))
        try connection.execute("CREATE INDEX book_title_idx ON public.book (pages)")

        let error = await #expect(throws: ExecutionError.self) {
          try await remodel.finish(.url(url))
        }

        #expect(error?.fact == .otherObject(name: "book_title_idx", table: "book"))
        try connection.execute(
          "DROP INDEX public.book_title_idx; CREATE INDEX book_title_idx ON public.book (title)"
        )
        // An object with the expected definition belongs to the version, no matter which session
        // created it.
        _ = try await remodel.finish(.url(url))
        #expect(try await remodel.status(.url(url)).pending == [])
      }
    }
  }

  @Test
  func `the next version waits for the deferred work of the last one`() async throws {
    try await withSampleBundle(versions: 3) { bundle in
      try await TestServer.withTwoDatabases { url, other in
        try await prepare(bundle, url)
        let remodel = Remodel(configuration(bundle))
        _ = try await remodel.migrate(.url(url), to: "2")
        #expect(try await !remodel.status(.url(url)).pending.isEmpty)

        let connection = try PostgresConnection(to: .url(url))
        try connection.execute("UPDATE public.book SET isbn = _id::text")
        _ = try await remodel.migrate(.url(url), to: "3")

        let pending = try await remodel.status(.url(url)).pending
        #expect(pending.allSatisfy { $0.version == "3" })
        _ = try await remodel.finish(.url(url))
        _ = try await remodel.migrate(.url(other), to: "3")
        #expect(try snapshot(url).difference(to: snapshot(other)) == [])
      }
    }
  }

  // MARK: - The databases

  private func configuration(_ bundle: String) -> RemodelConfiguration {
    var configuration = RemodelConfiguration(modelsPath: bundle, strategy: .online)
    configuration.takesTablesForLarge = true
    return configuration
  }

  /// Migrates and finishes; returns what went wrong.
  private func migrate(
    _ bundle: String,
    _ url: String,
    _ failpoints: Failpoints = Failpoints(),
    _ interruption: Interruption = Interruption()
  ) async throws -> ((any Error)?, (any Error)?) {
    var settings = configuration(bundle)
    settings.copySettings.failpoints = failpoints
    let remodel = Remodel(settings, interruption: interruption)
    var errors: [(any Error)?] = [nil, nil]
    do { _ = try await remodel.migrate(.url(url), to: "2") } catch { errors[0] = error }
    do { _ = try await remodel.finish(.url(url)) } catch { errors[1] = error }
    return (errors[0], errors[1])
  }

  private func prepare(_ bundle: String, _ url: String) async throws {
    _ = try await Remodel(configuration(bundle)).migrate(.url(url), to: "1")
    let connection = try PostgresConnection(to: .url(url))
    try connection.execute(
      """
      INSERT INTO public.reader (name) VALUES ('Ada'), ('Grace');
      INSERT INTO public.book (title, pages, owner) VALUES ('Emma', 3, 1), ('Persuasion', 7, 2)
      """
    )
  }

  private func snapshot(_ url: String) throws -> CatalogSnapshot {
    let connection = try PostgresConnection(to: .url(url))
    try connection.prepareSession()
    return try CatalogSnapshot(of: "public", on: connection)
  }

  /// The rows, the catalog, and that nothing is left.
  private func end(_ url: String) throws -> [String] {
    let connection = try PostgresConnection(to: .url(url))
    try connection.prepareSession()
    let rows = try connection.query(
      """
      SELECT 'book ' || to_jsonb(b)::text AS row FROM public.book b
      UNION ALL SELECT 'reader ' || to_jsonb(r)::text FROM public.reader r
      UNION ALL SELECT indexrelid::regclass || ' ' || indisvalid FROM pg_index
        WHERE indrelid IN ('public.book'::regclass, 'public.reader'::regclass)
      UNION ALL SELECT conname || ' ' || convalidated FROM pg_constraint
        WHERE conrelid IN ('public.book'::regclass, 'public.reader'::regclass)
      UNION ALL SELECT attname || ' ' || attnotnull FROM pg_attribute
        WHERE attrelid = 'public.book'::regclass AND attnum > 0 AND NOT attisdropped
      UNION ALL SELECT 'pending ' || object_name FROM remodel.pending ORDER BY 1
      """
    )
    return rows.compactMap { $0["row"] }
  }

  private func withSampleBundle<Result>(
    versions: Int = 2,
    _ body: (String) async throws -> Result
  ) async throws -> Result {
    try await withBundle(
      Array(Self.versions.prefix(versions)),
      body
    )
  }

  /// A version with a rewritten column, and an index on a remaining table.
  private static let retyped = """
    remodel: 1
    entities:
      Reader:
        attributes: { name: string }
        relationships: { books: { toMany: Book, inverse: owner } }
        indexes: { byName: [name] }
        unique: [[name]]
      Book:
        attributes: { title: string, pages: integer64?, isbn: string?, note: string? }
        relationships: { owner: { to: Reader?, inverse: books } }
        indexes: { byNote: [note] }
    """

  private static let versions = [
    """
    remodel: 1
    entities:
      Reader: { attributes: { name: string }, relationships: { books: { toMany: Book, inverse: owner } } }
      Book:
        attributes: { title: string, pages: integer32?, isbn: string?, note: string? }
        relationships: { owner: { to: Reader?, inverse: books } }
        indexes: { byNote: [note] }
    """,
    """
    remodel: 1
    entities:
      Reader: { attributes: { name: string }, relationships: { books: { toMany: Book, inverse: owner } } }
      Book:
        attributes:
          title: string
          pages: { type: integer32, validation: { minimum: 1, enforced: true } }
          isbn: string?
          note: string?
        relationships: { owner: { to: Reader?, inverse: books, delete: cascade } }
        indexes: { byTitle: [title] }
        unique: [[isbn]]
    """,
    """
    remodel: 1
    entities:
      Reader: { attributes: { name: string }, relationships: { books: { toMany: Book, inverse: owner } } }
      Book:
        attributes:
          title: string
          pages: { type: integer32, validation: { minimum: 1, enforced: true } }
          isbn: string
          note: string?
        relationships: { owner: { to: Reader?, inverse: books, delete: cascade } }
        indexes: { byTitle: [title, pages] }
        unique: [[isbn]]
    """,
  ]
}
