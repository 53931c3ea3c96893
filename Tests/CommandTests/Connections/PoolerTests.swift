import PostgresClient
import SQLSyntax
import TestSupport
import Testing

@testable import RemodelCommands

/// A real pooler between the tool and the server.
@Suite(
  .tags(.server),
  .enabled(if: TestServer.isAvailable),
  .enabled(if: Pooler.isAvailable, Comment(rawValue: Pooler.absence)),
  .timeLimit(.minutes(30))
)
struct PoolerTests {
  @Test(arguments: [Pooler.Mode.transaction, .statement])
  func `a pooler that gives transactions different sessions is refused and left as it was`(
    mode: Pooler.Mode
  ) async throws {
    try await withBundle(Version.first) { folder in
      try await TestServer.withDatabase { url in
        try await turnOnCompilation(at: url)
        let pooler = try Pooler(of: url, mode, size: 3)
        defer { withExtendedLifetime(pooler) {} }
        let call = ["--models", folder, "--database", pooler.url, "--wait", "30s"]

        for verb in ["migrate", "check", "status", "plan"] {
          let outcome = try await Tool.run([verb] + call)
          #expect(outcome.status == 7, "\(verb): \(outcome)")
          #expect(outcome.error.contains("gives transactions different sessions"))
          #expect(outcome.error.contains("REMODEL_DATABASE_URL"))
        }

        #expect(try await !hasMetadata(at: url))
        // Nor is it believed that all is well.
        let direct = ["migrate", "--models", folder, "--database", url]
        #expect(try await Tool.run(direct).status == 0)
        #expect(try await Tool.run(["check"] + call).status == 7)
        guard mode == .transaction else { return }
        #expect(try settings(of: 3, through: pooler.url) == [["\"$user\", public", "on"]])
      }
    }
  }

  @Test
  func `a busy pooler is refused as well`() async throws {
    try await withBundle(Version.first) { folder in
      try await TestServer.withDatabase { url in
        let pooler = try Pooler(of: url, .transaction, size: 4)
        defer { withExtendedLifetime(pooler) {} }
        let call = ["migrate", "--models", folder, "--database", pooler.url, "--wait", "30s"]

        let pooled = pooler.url
        let isOver = Flag()
        let load: @Sendable () throws -> Void = {
          let connection = try PostgresConnection(to: .url(pooled), wait: .seconds(600))
          while !isOver.isSet { try connection.execute("SELECT pg_sleep(0.002)") }
        }
        async let first: Void = onThread(load)
        async let second: Void = onThread(load)
        defer { isOver.set() }
        for _ in 0..<5 { #expect(try await Tool.run(call).status == 7) }
        isOver.set()
        _ = try await (first, second)

        #expect(try await !hasMetadata(at: url))
      }
    }
  }

  @Test
  func `a pooler that lets a connection keep its session is no obstacle`() async throws {
    try await withCopiedBooks { folder in
      try await TestServer.withDatabase { url in
        try await turnOnCompilation(at: url)
        let pooler = try Pooler(of: url, .session)
        defer { withExtendedLifetime(pooler) {} }
        let options = ["--models", folder, "--database", pooler.url, "--wait", "30s"]

        let creation = try await Tool.run(["migrate", "--to", "1"] + options)
        try await execute("INSERT INTO public.book (title) VALUES ('a'), ('b')", at: url)
        let behind = try await Tool.run(["check"] + options)
        let copy = try await Tool.run(["migrate", "--strategy", "online", "--jobs", "2"] + options)
        let current = try await Tool.run(["check"] + options)

        #expect(creation.status == 0, "\(creation)")
        #expect(behind.status == 2, "\(behind)")
        #expect(copy.status == 0, "\(copy)")
        #expect(current.status == 0, "\(current)")
        // What was set does not stay with the sessions.
        #expect(try settings(of: 6, through: pooler.url) == [["\"$user\", public", "on"]])
      }
    }
  }

  @Test(arguments: RandomCases.one(in: 2, of: [1, 2]))
  func `a pooler with few sessions is enough`(size: Int) async throws {
    try await withCopiedBooks { folder in
      try await TestServer.withDatabase { url in
        let pooler = try Pooler(of: url, .session, size: size)
        defer { withExtendedLifetime(pooler) {} }
        try await expectCopy(folder, url, through: pooler.url)
      }
    }
  }

  @Test
  func `later settings and locks of a session end with the connection`()
    async throws
  {
    try await TestServer.withDatabase { url in
      let pooler = try Pooler(of: url, .session, size: 2, resets: false)
      defer { withExtendedLifetime(pooler) {} }
      let before = try state(through: pooler.url)
      do {
        let connection = try PostgresConnection.session(
          to: .url(pooler.url),
          wait: .seconds(600)
        )
        for setting in SessionSetting.allCases {
          try connection.set(setting, to: setting.value)
        }
        try connection.execute("SELECT pg_catalog.pg_advisory_lock(7)")
      }

      #expect(try state(through: pooler.url) == before)
      let locks: SQLFragment = "SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND objid = 7"
      #expect(try await rows(of: locks, at: url) == [])
    }
  }

  @Test
  func `a pooler that refuses who is one too many leaves a copy to its own session`() async throws {
    try await withCopiedBooks { folder in
      try await TestServer.withDatabase { url in
        let pooler = try Pooler(of: url, .session, clients: 2)
        defer { withExtendedLifetime(pooler) {} }
        try await expectCopy(folder, url, through: pooler.url)
      }
    }
  }

  /// Copies many rows in more sessions than there may be.
  private func expectCopy(_ folder: String, _ url: String, through pooled: String) async throws {
    let options = ["--models", folder, "--database", pooled, "--wait", "30s"]

    let creation = try await Tool.run(["migrate", "--to", "1"] + options)
    try await execute(
      "INSERT INTO public.book (title) SELECT 'a' || i FROM generate_series(1, 50000) i",
      at: url
    )
    let copy = try await Tool.run(["migrate", "--strategy", "online", "--jobs", "3"] + options)
    let current = try await Tool.run(["check"] + options)

    #expect(creation.status == 0, "\(creation)")
    #expect(copy.status == 0, "\(copy)")
    #expect(current.status == 0, "\(current)")
    let copied = try await rows(of: "SELECT count(shout) FROM public.book", at: url)
    #expect(copied == [["50000"]])
  }

  @Test
  func `a pooler that is full is one that is not reached for the moment`() async throws {
    try await withBundle(Version.first) { folder in
      try await TestServer.withDatabase { url in
        let pooler = try Pooler(of: url, .session, clients: 1)
        defer { withExtendedLifetime(pooler) {} }
        _ = try state(through: pooler.url)

        let outcome = try await Tool.run(
          "migrate",
          "--models",
          folder,
          "--database",
          pooler.url,
          "--wait",
          "1s"
        )

        #expect(outcome.status == 6, "\(outcome)")
        #expect(try await !hasMetadata(at: url))
      }
    }
  }

  @Test
  func `a pooler that does not put sessions back gets them as they were`() async throws {
    try await withBundle(Version.first) { folder in
      try await withOwner("behind_pooler") { role, url, _ in
        let pooler = try Pooler(of: url, .session, size: 1, resets: false)
        defer { withExtendedLifetime(pooler) {} }
        let call = [
          "migrate", "--models", folder, "--database", pooler.url, "--wait", "30s", "--role",
          role.name,
        ]
        let before = try state(through: pooler.url)

        let migrated = try await Tool.run(call)
        let after = try state(through: pooler.url)
        let verified = try await Tool.run(["verify"] + call.dropFirst())
        let afterLook = try state(through: pooler.url)
        let refused = try await Tool.run(call + ["--to", "7"])

        #expect(migrated.status == 0, "\(migrated)")
        #expect(after == before)
        #expect(verified.status == 0, "\(verified)")
        #expect(afterLook == before)
        #expect(refused.status != 0, "\(refused)")
        #expect(try state(through: pooler.url) == before)
      }
    }
  }

  /// The role and all settings of the session that a pooler gives out.
  private func state(through url: String) throws -> [[String?]] {
    let connection = try PostgresConnection(to: .url(url), wait: .seconds(600))
    return try connection.query(
      """
      SELECT current_user::text, name, setting FROM pg_settings \
      WHERE name NOT IN ('application_name', 'transaction_isolation') ORDER BY name
      """
    ).rows
  }

  /// The throwaway server does not need the settings that the tool changes for its own sessions.
  private func turnOnCompilation(at url: String) async throws {
    try await execute(
      "DO $$BEGIN EXECUTE format('ALTER DATABASE %I SET jit = on', current_database()); END$$",
      at: url
    )
  }

  /// The different values of settings in so many of the sessions that a pooler has.
  private func settings(of count: Int, through url: String) throws -> [[String?]] {
    let sessions = try (0..<count).map { _ in Session(try PostgresConnection(to: .url(url))) }
    var found: Set<[String?]> = []
    for session in sessions {
      // Each keeps its own as long as its transaction.
      try session.connection.execute("BEGIN")
      let query: SQLFragment = "SELECT current_setting('search_path'), current_setting('jit')"
      for row in try session.connection.query(query).rows { found.insert(row) }
    }
    return Array(found)
  }
}

extension SessionSetting {
  /// A value that it does not have by itself.
  fileprivate var value: SQLFragment {
    switch self {
    case .connectionCheckInterval, .silence, .idleSession, .lockTimeout: "12345"
    case .readOnly: "on"
    case .synchronousCommit: "off"
    case .actingRole: "'somebody'"
    }
  }
}

private final class Session {
  let connection: PostgresConnection

  init(_ connection: consuming PostgresConnection) {
    self.connection = connection
  }
}
