import FoundationEssentials
import RemodelKit
import Subprocess

/// What two releases feel that write the same rows, each in its own version, from before the migration until after the
/// retirement of the older one.
struct ServingBenchmark {
  let remodel: String
  let rows: Int
  let runs: Int

  func run() async throws {
    for movesLinks in [false, true] {
      try await Rollout(remodel: remodel, rows: rows, runs: runs, movesLinks: movesLinks).run()
    }
  }
}

/// A rollout of a release whose version splits a name, and changes a type and another name.
private struct Rollout {
  let remodel: String
  let rows: Int
  let runs: Int
  /// Whether a link to one becomes links to many as well.
  let movesLinks: Bool

  func run() async throws {
    var rounds: [ServingRound] = []
    var speeds: [[Double]] = []
    try await ScratchServer.withServer { server in
      let folder = FileManager.default.temporaryDirectory
        .appending(path: "remodel-benchmark-\(UUID().uuidString)")
      defer { try? FileManager.default.removeItem(at: folder) }
      for (release, files) in releases {
        let bundle = folder.appending(path: "\(release)/Shop.remodel")
        try FileManager.default.createDirectory(at: bundle, withIntermediateDirectories: true)
        for (name, text) in files {
          try text.write(to: bundle.appending(path: name), atomically: true, encoding: .utf8)
        }
      }
      let template = try BenchmarkDatabase(named: "served", on: server)
      try await tool(folder, 1, template.url, "migrate", "--keep", "previous")
      try fill(template.url)
      for _ in 0..<runs {
        _ = try await template.time { rounds.append(try await round($0, folder)) }
        _ = try await template.time { speeds.append(try await speedsWithTriggers(at: $0, folder)) }
      }
    }
    func show(_ name: String, _ goal: String = "", _ value: (ServingRound) -> Double) {
      print("  \(name): \(Measurement(rounds.map(value)).ratios)\(goal)")
    }
    let links = movesLinks ? ", and a link to one becomes links to many" : ""
    print(
      "two releases on \(rows) rows of one database, 4 clients of each; a name is split, a type and a name"
    )
    print("of a column change\(links)")
    show("ms that 99 of 100 take, before") { $0.before * 1000 }
    show("of it, with both releases", movesLinks ? "" : ", at most 1.30 wanted") {
      $0.both / $0.before
    }
    show("of it, after the retirement") { $0.after / $0.before }
    show("ms that the longest takes around the migration and the retirement") { $0.longest * 1000 }
    show("failed transactions", ", none wanted") { Double($0.failures) }
    print("rows a second of one statement, of those without triggers")
    for (number, statement) in statements(of: 1).enumerated() {
      print("  \(statement.name): \(Measurement(speeds.map { $0[number] }).ratios)")
    }
  }

  private func round(_ url: String, _ folder: URL) async throws -> ServingRound {
    let logs = folder.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: logs, withIntermediateDirectories: true)
    let connection = try PostgresConnection(to: .url(url))
    return try await withThrowingTaskGroup(of: Void.self) { group in
      // The clients of one release stop when their file is there.
      func start(_ release: Int, _ name: String) async throws {
        let database = try await self.url(of: release, url, folder)
        group.addTask { try await load(release, database, logs, name) }
      }
      func stop(_ name: String) throws {
        try "".write(to: logs.appending(path: "\(name).end"), atomically: true, encoding: .utf8)
      }
      func window() async throws -> Range<Double> {
        try await Task.sleep(for: .seconds(3))
        let begin = try now(connection)
        try await Task.sleep(for: .seconds(10))
        return begin..<(try now(connection))
      }
      try await start(1, "first")
      try await start(1, "second")
      let before = try await window()
      try await migrate(url, folder)
      try stop("second")
      try await start(2, "third")
      let both = try await window()
      try await start(2, "fourth")
      try stop("first")
      try await Task.sleep(for: .seconds(2))
      try await tool(folder, 2, url, "retire", "1")
      let after = try await window()
      for name in ["third", "fourth"] { try stop(name) }
      try await group.waitForAll()

      let log = try LoadLog(in: logs, prefix: "load.")
      let names = try FileManager.default.contentsOfDirectory(atPath: logs.path)
      let texts = try names.filter { $0.hasSuffix(".errors") }.map {
        try String(contentsOf: logs.appending(path: $0), encoding: .utf8)
      }
      let errors = texts.joined(separator: "\n").split(separator: "\n").filter {
        $0.contains("aborted")
      }
      for error in errors { print("  \(error)") }
      func typical(_ range: Range<Double>) -> Double {
        let waits = log.waits(range)
        return waits.isEmpty ? .nan : waits[waits.count * 99 / 100]
      }
      return ServingRound(
        before: typical(before),
        both: typical(both),
        after: typical(after),
        longest: log.waits(before.lowerBound..<after.upperBound).last ?? .nan,
        failures: log.failures + errors.count
      )
    }
  }

  // MARK: - Statements

  /// Returns the speed of statements with triggers, as a part of that without, while nobody else writes.
  private func speedsWithTriggers(at url: String, _ folder: URL) async throws -> [Double] {
    let connection = try PostgresConnection(to: .url(url))
    let plain = try times(of: 1, connection)
    try await migrate(url, folder)
    return zip(plain, try times(of: 2, connection)).map { $0 / $1 }
  }

  private func migrate(_ url: String, _ folder: URL) async throws {
    let options = ["--keep", "previous", "--strategy", "locked"]
    let models = folder.appending(path: "2").path
    try await launch(remodel, ["migrate", "--models", models, "--database", url] + options)
  }

  /// Returns the seconds of statements of a release, which are rolled back.
  private func times(
    of release: Int,
    _ connection: borrowing PostgresConnection
  ) throws -> [Double] {
    try statements(of: release).map { statement in
      try connection.execute("BEGIN; SET LOCAL lock_timeout = '30s'")
      let time = try seconds { try connection.execute(statement.sql) }
      try connection.execute("ROLLBACK")
      return time
    }
  }

  private func statements(of release: Int) -> [(name: String, sql: SQLFragment)] {
    let (names, values): (SQLFragment, SQLFragment) =
      release == 1
      ? ("full_name, age, city", "'First Last', '36', 'x'")
      : ("first_name, last_name, age, town", "'First', 'Last', 36, 'x'")
    let schema = SQLIdentifier("public_v\(release)")
    let count = SQLLiteral.integer(Int64(min(rows, 50_000)))
    let town: SQLIdentifier = release == 1 ? "city" : "town"
    let age: SQLFragment = release == 1 ? "'37'" : "37"
    var statements: [(name: String, sql: SQLFragment)] = [
      (
        "INSERT",
        "INSERT INTO \(schema).person (\(names)) SELECT \(values) FROM generate_series(1, \(count))"
      ),
      (
        "UPDATE of a column that both have",
        "UPDATE \(schema).person SET \(town) = 'y' WHERE _id <= \(count)"
      ),
      (
        "UPDATE of a column that each has in its own way",
        "UPDATE \(schema).person SET age = \(age) WHERE _id <= \(count)"
      ),
    ]
    if movesLinks {
      statements += [
        (
          "INSERT of a row without links",
          "INSERT INTO \(schema).book (title) SELECT 'x' FROM generate_series(1, \(count))"
        ),
        (
          "UPDATE of the link to one",
          "UPDATE public_v1.book SET author = author % \(count) + 1 WHERE _id <= \(count)"
        ),
      ]
    }
    return statements
  }

  private func fill(_ url: String) throws {
    let count = SQLLiteral.integer(Int64(rows))
    try PostgresConnection(to: .url(url)).execute(
      """
      INSERT INTO public.person (full_name, age, city)
        SELECT 'First' || i || ' Last' || i, (i % 90)::text, 'town ' || i % 100
        FROM generate_series(1, \(count)) AS i;
      INSERT INTO public.book (title, author)
        SELECT 'title ' || i, i FROM generate_series(1, \(count)) AS i;
      ANALYZE
      """
    )
  }

  /// The transaction of a release's client.
  private func script(of release: Int) -> String {
    let name =
      release == 1 ? "full_name = 'Ada Lovelace'" : "first_name = 'Ada', last_name = 'Lovelace'"
    let age = release == 1 ? "age = '36'" : "age = 36"
    let link =
      if !movesLinks {
        "UPDATE book SET title = 'x' WHERE _id = :id"
      } else if release == 1 {
        "UPDATE book SET author = :other WHERE _id = :id"
      } else {
        "INSERT INTO book_authors (books, authors) VALUES (:id, :other) ON CONFLICT DO NOTHING"
      }
    let town = release == 1 ? "city" : "town"
    return """
      \\set id random(1, \(rows))
      \\set other random(1, \(rows))
      BEGIN;
      UPDATE person SET \(name), \(age) WHERE _id = :id;
      \(link);
      SELECT \(town), age FROM person WHERE _id = :other;
      COMMIT;

      """
  }

  /// Runs clients of a release until they are to stop.
  private func load(_ release: Int, _ url: String, _ folder: URL, _ name: String) async throws {
    let script = folder.appending(path: "\(name).sql")
    try self.script(of: release).write(to: script, atomically: true, encoding: .utf8)
    let command = """
      cd "$0"
      pgbench -n -M prepared -c 4 -j 1 -T 3600 -l --log-prefix=load."$2" -f "$2".sql "$1" 2>"$2".errors &
      until [ -e "$2".end ]; do sleep 0.1; done
      kill $!
      wait
      """
    _ = try await Subprocess.run(
      .name("sh"),
      arguments: ["-c", command, folder.path, url, name],
      output: .discarded,
      error: .discarded
    )
  }

  private func tool(
    _ folder: URL,
    _ release: Int,
    _ url: String,
    _ arguments: String...
  ) async throws {
    let models = folder.appending(path: "\(release)").path
    try await launch(remodel, arguments + ["--models", models, "--database", url])
  }

  private func url(of release: Int, _ url: String, _ folder: URL) async throws -> String {
    let models = folder.appending(path: "\(release)").path
    let outcome = try await Subprocess.run(
      .path(.init(remodel)),
      arguments: ["interface", "--url", "--models", models, "--database", url],
      output: .string(limit: 10_000),
      error: .discarded
    )
    return outcome.standardOutput.filter { !$0.isNewline }
  }

  private func now(_ connection: borrowing PostgresConnection) throws -> Double {
    try connection.query("SELECT extract(epoch FROM clock_timestamp())").value
      .flatMap { Double($0) } ?? .nan
  }

  // MARK: - Models

  private static let first = """
    remodel: 1
    entities:
      Person:
        attributes: { fullName: string, age: string?, city: string? }
        relationships: { books: { toMany: Book, inverse: author } }
      Book:
        attributes: { title: string }
        relationships: { author: { to: Person?, inverse: books } }
    """

  private var second: String {
    let (books, link) =
      movesLinks
      ? ("authors", "authors: { toMany: Person, inverse: books, renamingIdentifier: author }")
      : ("author", "author: { to: Person?, inverse: books }")
    return """
      remodel: 1
      entities:
        Person:
          attributes:
            firstName: string
            lastName: string
            age: integer32?
            town: { type: string?, renamingIdentifier: city }
          relationships: { books: { toMany: Book, inverse: \(books) } }
        Book:
          attributes: { title: string }
          relationships: { \(link) }
      """
  }

  private var releases: [(Int, [String: String])] {
    [
      (1, ["1.yaml": Self.first]),
      (
        2,
        [
          "1.yaml": Self.first,
          "2.yaml": second,
          "1-2.mapping.yaml": """
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
          "2-1.mapping.yaml": """
          remodelMapping: 1
          source: "2"
          destination: "1"
          entities:
            - source: Person
              destination: Person
              attributes: { fullName: 'concat($source.firstName, " ", $source.lastName)' }
          """,
        ]
      ),
    ]
  }
}

/// What was seen of one rollout; times in seconds.
private struct ServingRound {
  /// What 99 of 100 transactions take.
  var before: Double
  var both: Double
  var after: Double
  var longest: Double
  var failures: Int
}
