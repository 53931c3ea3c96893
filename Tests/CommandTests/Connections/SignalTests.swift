import PostgresClient
import SQLSyntax
import Subprocess
import TestSupport
import Testing

@testable import RemodelCommands

/// A signal at any moment ends a migration in time and leaves nothing behind that the metadata does
/// not record, and a rerun completes it.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct SignalTests {
  /// How a migration does its work.
  enum Way: String, CaseIterable, Sendable {
    case ddl, locked, gated, online
  }

  @Test(arguments: RandomCases.one(in: 2, of: Way.allCases))
  func `a signal at a random moment`(way: Way) async throws {
    let second = way == .ddl ? Version.withLongPages : CopiedBooks.second
    try await withBundle(Version.first, second) { folder in
      if way != .ddl { try write(CopiedBooks.mapping, to: "\(folder)/a.mapping.yaml") }
      let whole = try await TestServer.withDatabase { url in
        try await prepare(folder, url)
        let begin = ContinuousClock.now
        #expect(try await Tool.run(call(way, folder, url)).status == 0)
        return ContinuousClock.now - begin
      }
      let repetitions = RandomCases.isEverything ? 40 : 2
      for repetition in 1...repetitions {
        let delay = whole * Double.random(in: 0.05...0.95)
        let signal: Signal = repetition.isMultiple(of: 2) ? .terminate : .interrupt
        try await TestServer.withDatabase { url in
          try await prepare(folder, url)
          let place = "\(way) after \(delay) of \(whole)"
          try await whileWriting(way == .online, url) {
            try await signalled(signal, after: delay, call(way, folder, url), url, place)
            let rerun = try await Tool.run(call(way, folder, url))
            #expect(rerun.status == 0, "\(place): \(rerun)")
          }
          try await expectEnd(way, folder, url, place)
        }
      }
    }
  }

  /// Has a call end by a signal, and looks at what it leaves.
  private func signalled(
    _ signal: Signal,
    after delay: Duration,
    _ call: [String],
    _ url: String,
    _ place: String
  ) async throws {
    let outcome = try await Tool.run(call, environment: [:]) { process in
      try await Task.sleep(for: delay)
      try? process.send(signal: signal)
      return ContinuousClock.now
    }
    let time = ContinuousClock.now - outcome.result
    let expected: [Int32] = [signal == .terminate ? 143 : 130, 0]
    #expect(time < .seconds(10), "\(place): \(time)")
    // Before it catches signals, they end it as they end any program.
    #expect(outcome.status.map(expected.contains) ?? true, "\(place): \(outcome)")

    // The server may be a moment behind the end of the process.
    try await wait(until: "\(place): no session is left", within: .seconds(60)) {
      try await rows(of: Self.sessions, at: url).isEmpty
    }
    let locks = try await rows(of: Self.locks, at: url)
    #expect(locks.isEmpty, "\(place): \(locks)")
    let triggers = try await rows(of: Self.triggers, at: url)
    let states = try await rows(of: Self.states, at: url).compactMap(\.first)
    if states.isEmpty || states == ["prepared"] {
      #expect(triggers.isEmpty, "\(place): \(states) \(triggers)")
    }
    let staging = try await rows(of: Self.staging, at: url)
    if states.isEmpty { #expect(staging.isEmpty, "\(place): \(staging)") }
  }

  private static let sessions: SQLFragment = """
    SELECT pid::text, state, query FROM pg_stat_activity WHERE application_name = 'remodel' \
    AND datname = current_database() AND pid <> pg_backend_pid()
    """
  private static let locks: SQLFragment = """
    SELECT l.objid::text FROM pg_locks l JOIN pg_database d ON d.oid = l.database \
    WHERE l.locktype = 'advisory' AND d.datname = current_database()
    """
  /// Those on tables of which no job says that it watches them.
  private static let triggers: SQLFragment = """
    SELECT tgname FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid \
    WHERE NOT t.tgisinternal AND c.relname NOT IN (SELECT table_name FROM remodel.job_source s \
    JOIN remodel.job j ON j.id = s.job WHERE j.state NOT IN ('finished', 'aborted'))
    """
  private static let states: SQLFragment =
    "SELECT state FROM remodel.job WHERE state NOT IN ('finished', 'aborted')"
  private static let staging: SQLFragment =
    "SELECT nspname FROM pg_namespace WHERE nspname LIKE 'remodel\\_staging%'"

  // MARK: - The database

  private func call(_ way: Way, _ folder: String, _ url: String) -> [String] {
    let strategy = way == .ddl ? [] : ["--strategy", way.rawValue]
    return ["migrate", "--models", folder, "--database", url, "--format", "json"] + strategy
  }

  private func prepare(_ folder: String, _ url: String) async throws {
    let creation = ["migrate", "--to", "1", "--models", folder, "--database", url]
    #expect(try await Tool.run(creation).status == 0)
    try await execute(
      """
      INSERT INTO public.book (title, pages) \
      SELECT 'title ' || i, i FROM generate_series(1, 30000) AS i
      """,
      at: url
    )
  }

  /// Inserts rows, if so, while something else is done.
  private func whileWriting(
    _ writes: Bool,
    _ url: String,
    _ body: () async throws -> Void
  ) async throws {
    guard writes else { return try await body() }
    let isOver = Flag()
    async let writing: Void = onThread {
      let connection = try PostgresConnection(to: .url("\(url)&application_name=writer"))
      while !isOver.isSet {
        try connection.execute(
          """
          INSERT INTO public.book (title) VALUES ('late'); SELECT pg_sleep(0.02); \
          UPDATE public.book SET title = title || '.' WHERE _id = 7
          """
        )
      }
    }
    defer { isOver.set() }
    try await body()
    isOver.set()
    try await writing
  }

  private func expectEnd(
    _ way: Way,
    _ folder: String,
    _ url: String,
    _ place: String
  ) async throws {
    let verified = try await Tool.run("verify", "--models", folder, "--database", url)
    #expect(verified.status == 0, "\(place): \(verified)")
    #expect(try await rows(of: Self.triggers, at: url) == [], "\(place)")
    #expect(try await rows(of: Self.staging, at: url) == [], "\(place)")
    let kept = try await rows(of: "SELECT count(*) >= 30000 FROM public.book", at: url)
    #expect(kept == [["t"]], "\(place)")
    guard way != .ddl else { return }
    // What was written after the end has no value of its own.
    let wrong = try await rows(
      of: """
        SELECT count(*) FROM public.book WHERE title LIKE 'title%' AND _id <> 7 \
        AND shout IS DISTINCT FROM upper(title)
        """,
      at: url
    )
    #expect(wrong == [["0"]], "\(place)")
  }
}
