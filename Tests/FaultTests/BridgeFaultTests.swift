import RemodelKit
import Synchronization
import TestSupport
import Testing

/// A migration that keeps two versions in step, and the retirement of the older one, can be cut off anywhere: the
/// release on the older version works, and a rerun has the same result.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct BridgeFaultTests {
  @Test
  func `a migration that keeps versions in step is continued by a rerun wherever it was cut off`()
    async throws
  {
    try await withBundle(Self.versions, mappings: Self.mappings) { bundle in
      let remodel = Remodel(configuration(bundle))
      let expected = try await TestServer.withDatabase { url in
        try await prepare(remodel, url)
        try write(url)
        _ = try await remodel.migrate(.url(url))
        return try state(url)
      }
      let prepared = try await TestServer.makeTemplate { try await prepare(remodel, $0) }
      var position = RandomCases.distance(6...12, after: 0)
      var places: [String] = []
      while let place = try await TestServer.withDatabase(
        copying: prepared,
        { url in
          let place = try await die(at: position, bundle, url)
          try write(url)
          _ = try await remodel.migrate(.url(url))
          #expect(try state(url) == expected, "\(position) \(place ?? "")")
          #expect(try await remodel.verify(.url(url)).isClean, "\(position) \(place ?? "")")
          return place
        }
      ) {
        places.append(place)
        position += RandomCases.distance(6...12, after: position)
      }
      #expect(places.count > 3, "\(places)")
    }
  }

  private struct Dead: Error {}

  /// Migrates and dies at a place; returns the place's name if it was reached.
  private func die(at position: Int, _ bundle: String, _ url: String) async throws -> String? {
    let reached = Mutex<(count: Int, name: String?)>((0, nil))
    var configuration = configuration(bundle)
    configuration.copySettings.failpoints = Failpoints { name, connection in
      let isDead = reached.withLock { reached in
        reached.count += 1
        if reached.count == position { reached.name = name }
        return reached.count >= position
      }
      guard isDead else { return }
      if reached.withLock({ $0.count }) == position {
        try FillFaultTests.end(connection.backendPID, url)
      }
      throw Dead()
    }
    do {
      _ = try await Remodel(configuration).migrate(.url(url))
      #expect(reached.withLock(\.name) == nil)
    } catch {
      #expect(reached.withLock(\.name) != nil, "\(error)")
    }
    return reached.withLock(\.name)
  }

  @Test
  func `a retirement is continued by a rerun wherever it was cut off`() async throws {
    try await withBundle(Self.versions, mappings: Self.mappings) { bundle in
      var configuration = configuration(bundle)
      // Constraints that were postponed are added while others read and write.
      configuration.takesTablesForLarge = true
      let remodel = Remodel(configuration)
      try await SessionCutter.cutOffEverywhere(remodel, moreThan: 4) { url in
        let plain = Remodel(self.configuration(bundle))
        try await prepare(plain, url)
        _ = try await plain.migrate(.url(url))
        try write(url)
      } perform: { cut, url in
        try await cut.retire("1", of: .url(url), isForced: true)
      } check: { url, position, _ in
        let isServed = try await remodel.status(.url(url)).servedVersions.contains {
          $0.version.name == "1"
        }
        if isServed {
          try write(url)
          try await remodel.retire("1", of: .url(url), isForced: true)
        }
        _ = try await remodel.finish(.url(url))
        #expect(try remains(url) == [], "statement \(position)")
        #expect(try await remodel.verify(.url(url)).isClean, "statement \(position)")
      }
    }
  }

  // MARK: - The databases

  private func configuration(_ bundle: String) -> RemodelConfiguration {
    var configuration = RemodelConfiguration(modelsPath: bundle)
    configuration.keep = .previous
    return configuration
  }

  private func prepare(_ remodel: Remodel, _ url: String) async throws {
    _ = try await remodel.migrate(.url(url), to: "1")
    try PostgresConnection(to: .url(url)).execute(
      """
      INSERT INTO public_v1.person (full_name, age)
        SELECT 'First' || i || ' Last' || i, '0' || i FROM generate_series(1, 40) AS i;
      INSERT INTO public_v1.book (title, author)
        SELECT 'Title ' || i, nullif(i % 5, 0) FROM generate_series(1, 20) AS i
      """
    )
  }

  /// Writes as the release on the older version does, whichever version the database is at.
  private func write(_ url: String) throws {
    try PostgresConnection(to: .url(url)).execute(
      """
      UPDATE public_v1.person SET full_name = 'Ada Lovelace', age = '036' WHERE _id = 7;
      INSERT INTO public_v1.person (_id, full_name, age) VALUES (50, 'Alan Turing', '41')
        ON CONFLICT (_id) DO NOTHING;
      UPDATE public_v1.book SET author = 7 WHERE _id = 3;
      UPDATE public_v1.book SET author = NULL WHERE _id = 4;
      INSERT INTO public_v1.book (_id, title, author) VALUES (21, 'Notes', 50)
        ON CONFLICT (_id) DO NOTHING
      """
    )
  }

  /// The rows as both releases find them, and what keeps them in step.
  private func state(_ url: String) throws -> [String] {
    let connection = try PostgresConnection(to: .url(url))
    return try connection.query(
      """
      SELECT 'old ' || to_jsonb(p)::text AS row FROM public_v1.person p
      UNION ALL SELECT 'new ' || to_jsonb(p)::text FROM public_v2.person p
      UNION ALL SELECT 'old ' || to_jsonb(b)::text FROM public_v1.book b
      UNION ALL SELECT 'new ' || to_jsonb(b)::text FROM public_v2.book b
      UNION ALL SELECT 'new ' || to_jsonb(l)::text FROM public_v2.book_authors l
      UNION ALL SELECT 'trigger ' || tgname FROM pg_trigger WHERE NOT tgisinternal
      UNION ALL SELECT 'schema ' || nspname FROM pg_namespace WHERE nspname ~ '^(remodel|public)'
      ORDER BY 1
      """
    ).compactMap { $0["row"] }
  }

  private func remains(_ url: String) throws -> [String] {
    let connection = try PostgresConnection(to: .url(url))
    return try connection.query(
      """
      SELECT 'trigger ' || tgname AS row FROM pg_trigger WHERE NOT tgisinternal
      UNION ALL SELECT 'schema ' || nspname FROM pg_namespace WHERE nspname = 'public_v1'
      UNION ALL SELECT 'column ' || attname FROM pg_attribute WHERE attname = 'remodel_writer'
      UNION ALL SELECT 'no constraint' WHERE NOT EXISTS (SELECT FROM pg_constraint
        WHERE conname = 'book_title_key' AND convalidated)
      """
    ).compactMap { $0["row"] }
  }

  private static let versions = [
    """
    remodel: 1
    entities:
      Person:
        attributes: { fullName: string, age: string? }
        relationships: { books: { toMany: Book, inverse: author } }
      Book:
        attributes: { title: string }
        relationships: { author: { to: Person?, inverse: books } }
    """,
    """
    remodel: 1
    entities:
      Person:
        attributes: { firstName: string, lastName: string, age: integer32? }
        relationships: { books: { toMany: Book, inverse: authors } }
      Book:
        attributes: { title: string }
        unique: [[title]]
        relationships:
          authors: { toMany: Person, inverse: books, renamingIdentifier: author }
    """,
  ]

  private static let mappings = [
    "1-2": """
    remodelMapping: 1
    source: "1"
    destination: "2"
    entities:
      - source: Person
        destination: Person
        attributes:
          firstName: split($source.fullName, " ", 0)
          lastName: split($source.fullName, " ", 1)
          age: CAST($source.age, "integer32")
    """,
    "2-1": """
    remodelMapping: 1
    source: "2"
    destination: "1"
    entities:
      - source: Person
        destination: Person
        attributes: { fullName: 'concat($source.firstName, " ", $source.lastName)' }
    """,
  ]
}
