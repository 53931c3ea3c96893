import RemodelKit
import Synchronization
import TestSupport
import Testing

/// A fill that ends at any place, in any way, is continued by a rerun with the same result, and leaves
/// nothing behind if it is cancelled.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct FillFaultTests {
  /// What happens at a place, and afterwards.
  enum Fault: CaseIterable, Sendable {
    /// The process dies, and another one continues.
    case death
    /// The process dies, and what it has made is taken back before another one begins.
    case cancellation
    /// The server ends the session, and the process continues.
    case connectionLoss
    /// Somebody interrupts the migration.
    case interruption
  }

  struct Dead: Error {}

  @Test(arguments: RandomCases.one(in: 2, of: Fault.allCases))
  func `a fill that ends at any place has the same result`(fault: Fault) async throws {
    try await withFilledBundle { bundle in
      let prepared = try await TestServer.makeTemplate { try await prepare(bundle, $0) }
      let expected = try await TestServer.withDatabase(copying: prepared) { url in
        _ = try await remodel(bundle).migrate(.url(url))
        return try state(url)
      }
      var position = RandomCases.distance(12...20, after: 0)
      var places: [String] = []
      while true {
        let target = position
        let place = try await TestServer.withDatabase(copying: prepared) { url in
          let before = try state(url)
          let place = try await end(at: target, by: fault, bundle, url)
          let context: Comment = "\(target) \(place ?? "")"
          if fault == .cancellation, let job = try await remodel(bundle).jobs(.url(url)).last,
            !job.state.isEnded
          {
            _ = try await remodel(bundle).cancelJob(.url(url), named: nil)
            #expect(try state(url) == before, context)
            #expect(try remains(url) == [], context)
          }
          _ = try await remodel(bundle).migrate(.url(url))
          #expect(try state(url) == expected, context)
          #expect(try remains(url) == [], context)
          #expect(try await remodel(bundle).check(.url(url)).isCurrent, context)
          return place
        }
        guard let place else { break }
        places.append(place)
        position += RandomCases.distance(12...20, after: position)
      }
      #expect(places.count > 3, "\(places)")
      guard RandomCases.isEverything else { return }
      let all = ["prepare", "guard", "chunk", "filled", "compared", "promise", "prove", "cutover"]
      for name in all { #expect(places.contains { $0.hasPrefix("\(name).") }, "\(name)") }
    }
  }

  @Test
  func `taking a fill back can itself be cut off at any place`() async throws {
    try await withFilledBundle { bundle in
      let prepared = try await TestServer.makeTemplate { try await prepare(bundle, $0) }
      for place in ["cancel", "abort_fill", "abort_schema"].flatMap({
        ["\($0).before_commit", "\($0).after_commit"]
      }) {
        try await TestServer.withDatabase(copying: prepared) { url in
          let before = try state(url)
          await #expect(throws: (any Error).self) {
            try await remodel(bundle, dying(at: "verified.before_commit")).migrate(.url(url))
          }

          await #expect(throws: (any Error).self) {
            try await remodel(bundle, dying(at: place)).cancelJob(.url(url), named: nil)
          }

          if let job = try await remodel(bundle).jobs(.url(url)).last, !job.state.isEnded {
            _ = try await remodel(bundle).cancelJob(.url(url), named: nil)
          }
          #expect(try state(url) == before, "\(place)")
          #expect(try remains(url) == [], "\(place)")
        }
      }
    }
  }

  @Test(arguments: ["chunk.after_commit", "filled.after_commit", "verified.after_commit"])
  func `a value that cannot be computed hinders the migration and no writer`(
    place: String
  ) async throws {
    try await withFilledBundle { bundle in
      try await TestServer.withDatabase { url in
        try await prepare(bundle, url)
        let hasWritten = Flag()
        let writing = Failpoints { name, _ in
          guard name == place, hasWritten.set() else { return }
          let connection = try PostgresConnection(to: .url(url))
          try connection.execute("UPDATE public.sale SET divisor = 0 WHERE _id = 7")
        }

        await #expect(throws: (any Error).self) {
          try await remodel(bundle, writing).migrate(.url(url))
        }

        #expect(hasWritten.isSet)
        #expect(try await remodel(bundle).status(.url(url)).version?.name == "1")
        let connection = try PostgresConnection(to: .url(url))
        try connection.execute("UPDATE public.sale SET divisor = 2 WHERE _id = 7")
        _ = try await remodel(bundle).migrate(.url(url))
        let row = try connection.query("SELECT share FROM public.sale WHERE _id = 7").first
        #expect(row?["share"] == "3.5")
      }
    }
  }

  @Test
  func `what is filled is no drift, and writers of the version before notice nothing`() async throws
  {
    try await withFilledBundle { bundle in
      try await TestServer.withDatabase { url in
        try await prepare(bundle, url)
        await #expect(throws: (any Error).self) {
          try await remodel(bundle, dying(at: "verified.before_commit")).migrate(.url(url))
        }

        let report = try await remodel(bundle).verify(.url(url))
        #expect(report.drift.map(\.object.description) == [])
        let status = try await remodel(bundle).status(.url(url))
        #expect(status.version?.name == "1")
        let job = try await remodel(bundle).job(.url(url), named: nil).job
        #expect(job.strategy == "filled")
        #expect(job.progress.rowsCopied == 60)
        let connection = try PostgresConnection(to: .url(url))
        try connection.execute(
          """
          SET "DateStyle" = 'SQL, DMY';
          SET standard_conforming_strings = off;
          SET transform_null_equals = on;
          SET xmloption = document;
          CREATE SCHEMA other;
          CREATE FUNCTION other.upper(text) RETURNS text LANGUAGE sql AS 'SELECT ''other''::text';
          CREATE FUNCTION other.divide(numeric, numeric) RETURNS numeric LANGUAGE sql AS 'SELECT 7.0';
          CREATE OPERATOR other./ (LEFTARG = numeric, RIGHTARG = numeric, FUNCTION = other.divide);
          CREATE ROLE writer_of_fills;
          GRANT USAGE ON SCHEMA other TO writer_of_fills;
          GRANT INSERT ON public.sale TO writer_of_fills;
          SET ROLE writer_of_fills;
          SET search_path = other, pg_catalog, public;
          INSERT INTO sale (amount, divisor, seller) VALUES (1, 2, 'Zoe');
          RESET ROLE;
          REVOKE ALL ON public.sale FROM writer_of_fills;
          DROP OWNED BY writer_of_fills;
          DROP ROLE writer_of_fills;
          DELETE FROM sale WHERE _id = 1;
          SET search_path = public
          """
        )
        _ = try await remodel(bundle).setJobPaused(true, .url(url), named: nil)
        await #expect(throws: (any Error).self) { try await remodel(bundle).migrate(.url(url)) }
        _ = try await remodel(bundle).setJobPaused(false, .url(url), named: nil)
        _ = try await remodel(bundle).migrate(.url(url))
        let row = try connection.query("SELECT share, label FROM sale ORDER BY _id DESC LIMIT 1")
          .first
        #expect(row?["share"] == "0.5" && row?["label"] == "ZOE")
      }
    }
  }

  @Test
  func `a fill that has begun is continued although its table has become small`() async throws {
    try await withBundle([Self.versions[0], Self.retyped]) { bundle in
      try await TestServer.withDatabase { url in
        try await prepare(bundle, url)
        await #expect(throws: (any Error).self) {
          try await remodel(bundle, dying(at: "chunk.after_commit")).migrate(.url(url))
        }
        let job = try #require(try await remodel(bundle).jobs(.url(url)).first)
        // Neither the sizes of the tables nor the settings change its plan.
        let report = try await Remodel(RemodelConfiguration(modelsPath: bundle)).migrate(.url(url))

        #expect(report.outcome == .migrated)
        let jobs = try await remodel(bundle).jobs(.url(url))
        #expect(jobs.map(\.id) == [job.id] && jobs.first?.state == .finished)
        #expect(try remains(url) == [])
      }
    }
  }

  @Test
  func `a fill is reverted as an addition is`() async throws {
    try await withFilledBundle { bundle in
      try await TestServer.withDatabase { url in
        try await prepare(bundle, url)
        let connection = try PostgresConnection(to: .url(url))
        func rows() throws -> [[String?]] {
          try connection.query("SELECT amount, divisor, seller FROM public.sale ORDER BY _id").rows
        }
        let before = try rows()
        _ = try await remodel(bundle).migrate(.url(url))
        let after = try connection.query("SELECT label, share FROM public.sale ORDER BY _id").rows
        _ = try await Remodel(RemodelConfiguration(modelsPath: bundle)).revert(.url(url), to: "1")
        #expect(try rows() == before)
        #expect(try await remodel(bundle).verify(.url(url)).drift.isEmpty)
        _ = try await remodel(bundle).migrate(.url(url), to: "2")
        let again = try connection.query("SELECT label, share FROM public.sale ORDER BY _id").rows
        #expect(again == after)
        #expect(try await remodel(bundle).verify(.url(url)).drift.isEmpty)
      }
    }
  }

  // MARK: - Running

  /// Migrates and has it end at a place; returns the place's name if it was reached.
  private func end(
    at target: Int,
    by fault: Fault,
    _ bundle: String,
    _ url: String
  ) async throws -> String? {
    let reached = Mutex<(count: Int, name: String?)>((0, nil))
    let interruption = Interruption()
    let failpoints = Failpoints { name, connection in
      let isHere = reached.withLock { reached in
        reached.count += 1
        if reached.count == target { reached.name = name }
        return reached.count == target
      }
      guard isHere else {
        // What is dead does nothing at all.
        if fault == .death || fault == .cancellation, reached.withLock({ $0.name }) != nil {
          throw Dead()
        }
        return
      }
      switch fault {
      case .death, .cancellation:
        try Self.end(connection.backendPID, url)
        throw Dead()
      case .connectionLoss: try Self.end(connection.backendPID, url)
      case .interruption: interruption.interrupt(signal: 2)
      }
    }
    do {
      _ = try await remodel(bundle, failpoints, interruption).migrate(.url(url))
    } catch {
      let name = reached.withLock(\.name) ?? ""
      // Deferred work is left to a rerun.
      #expect(fault != .connectionLoss || name.hasPrefix("late."), "\(target) \(name): \(error)")
    }
    return reached.withLock(\.name)
  }

  static func end(_ pid: Int, _ url: String) throws {
    let other = try PostgresConnection(to: .url(url))
    try other.query("SELECT pg_terminate_backend(\(SQLLiteral.integer(Int64(pid))), 5000)")
  }

  func dying(at place: String) -> Failpoints {
    let isDead = Flag()
    return Failpoints { name, _ in
      if name == place { _ = isDead.set() }
      if isDead.isSet { throw Dead() }
    }
  }

  func remodel(
    _ bundle: String,
    _ failpoints: Failpoints = Failpoints(),
    _ interruption: Interruption = Interruption(),
    lockRetryFor: Duration = .seconds(60)
  ) -> Remodel {
    var configuration = RemodelConfiguration(modelsPath: bundle, strategy: .filled)
    configuration.takesTablesForLarge = true
    configuration.lockRetryFor = lockRetryFor
    configuration.copySettings.chunkRows = 25
    configuration.copySettings.failpoints = failpoints
    return Remodel(configuration, interruption: interruption)
  }

  // MARK: - The databases

  func prepare(_ bundle: String, _ url: String) async throws {
    _ = try await remodel(bundle).migrate(.url(url), to: "1")
    try PostgresConnection(to: .url(url)).execute(
      """
      INSERT INTO public.sale (amount, divisor, seller)
        SELECT i, nullif(i % 5, 0), 'Seller ' || i FROM generate_series(1, 60) AS i
      """
    )
  }

  /// The rows and the catalog.
  func state(_ url: String) throws -> [String] {
    let connection = try PostgresConnection(to: .url(url))
    try connection.prepareSession()
    let rows = try connection.query(
      """
      SELECT to_jsonb(s)::text AS row FROM public.sale s
      UNION ALL SELECT conname || ' ' || convalidated FROM pg_constraint
        WHERE conrelid = 'public.sale'::regclass
      UNION ALL SELECT concat_ws(' ', attname, atttypid::regtype, attnotnull) FROM pg_attribute
        WHERE attrelid = 'public.sale'::regclass AND attnum > 0 AND NOT attisdropped
      ORDER BY 1
      """
    )
    return rows.compactMap { $0["row"] }
  }

  /// What is left of a job.
  func remains(_ url: String) throws -> [String] {
    let connection = try PostgresConnection(to: .url(url))
    return try connection.query(
      """
      SELECT 'trigger ' || tgname AS name FROM pg_trigger WHERE tgname LIKE '~remodel%'
      UNION ALL SELECT 'schema ' || nspname FROM pg_namespace WHERE nspname LIKE 'remodel\\_staging%'
      UNION ALL SELECT 'column ' || attname FROM pg_attribute
        WHERE attname LIKE 'remodel\\_temporary%' AND NOT attisdropped
      UNION ALL SELECT 'constraint ' || conname FROM pg_constraint
        WHERE conname LIKE 'remodel\\_temporary%'
      """
    ).compactMap { $0["name"] }
  }

  func withFilledBundle(_ body: (String) async throws -> Void) async throws {
    try await withBundle(Self.versions, mappings: ["1-2": Self.mapping], body)
  }

  static let versions = [
    """
    remodel: 1
    entities:
      Sale: { attributes: { amount: integer32, divisor: integer32?, seller: string } }
    """,
    """
    remodel: 1
    entities:
      Sale:
        attributes: { amount: integer64, divisor: integer32?, seller: string, label: string, share: double? }
        unique: [[label]]
    """,
  ]

  private static let retyped = """
    remodel: 1
    entities:
      Sale: { attributes: { amount: integer64, divisor: integer32?, seller: string } }
    """

  static let mapping = """
    remodelMapping: 1
    source: "1"
    destination: "2"
    entities:
      - source: Sale
        destination: Sale
        attributes:
          label: uppercase($source.seller)
          share: $source.amount * 1.0 / $source.divisor
    """
}
