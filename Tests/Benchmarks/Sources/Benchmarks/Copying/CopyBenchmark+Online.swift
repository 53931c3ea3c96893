import FoundationEssentials
import RemodelKit
import Subprocess

extension CopyBenchmark {
  /// What clients that update single rows feel of an online copy of their table.
  func measureOnline() async throws {
    let template = try await database(.plain, rows: rows)
    // A database with a session cannot be copied.
    try holdTable(in: template)
    var rounds: [OnlineRound] = []
    for _ in 0..<runs {
      _ = try await template.time { rounds.append(try await round($0)) }
    }
    func show(_ name: String, _ goal: String, _ value: (OnlineRound) -> Double) {
      print("  \(name): \(Measurement(rounds.map(value)).ratios)\(goal)")
    }
    print("an online copy of \(rows) rows under 8 clients that update single rows of it")
    show("transactions/s, undisturbed", "", \.undisturbed)
    show("of it, capturing", ", at least 0.85 wanted") { $0.capturing / $0.undisturbed }
    show("of it, copying", ", at least 0.75 wanted") { $0.copying / $0.undisturbed }
    show("rows/s copied", ", at least 25000 wanted", \.copiedRows)
    show("seconds from the first row to the cutover", "", \.duration)
    show("failed transactions", ", none wanted") { Double($0.failures) }
    show("ms that 99 of 100 take, undisturbed", "") { $0.usualWait * 1000 }
    show("ms that 99 of 100 take around the cutover", ", less than 150 wanted") {
      $0.cutoverWait * 1000
    }
    show("ms that the longest takes around the cutover", "") { $0.longestWait * 1000 }
  }

  private func holdTable(in database: BenchmarkDatabase) throws {
    let connection = try PostgresConnection(to: .url(database.url))
    try connection.execute("CREATE SCHEMA benchmark; CREATE TABLE benchmark.hold (held integer)")
  }

  private func round(_ url: String) async throws -> OnlineRound {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "remodel-load-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await load(url, folder) }
      // As long as there is a row, the job waits.
      let connection = try PostgresConnection(to: .url(url))
      try connection.execute("INSERT INTO benchmark.hold VALUES (1)")
      try await Task.sleep(for: .seconds(3))
      let begin = try now(connection)
      try await Task.sleep(for: .seconds(10))
      let undisturbed = begin..<(try now(connection))

      async let migration: Void = migrate(
        .plain,
        url,
        options: [
          "--strategy", "online", "--throttle-query", "SELECT count(*) FROM benchmark.hold",
        ]
      )
      let chunks = "SELECT count(*) FROM remodel.job_chunk WHERE state = 'done'" as SQLFragment
      while try connection.query("SELECT to_regclass('remodel.job_chunk')").value == nil
        || connection.query(chunks).value == "0"
      {
        try await Task.sleep(for: .milliseconds(50))
      }
      let captureBegin = try now(connection)
      try await Task.sleep(for: .seconds(10))
      let capturing = captureBegin..<(try now(connection))

      try connection.execute("DELETE FROM benchmark.hold")
      try await migration
      let phases = try CopyPhases(url)
      // The wait for the query is looked at once a second.
      let copied = try connection.query(
        """
        SELECT sum(rows_out) AS rows, extract(epoch FROM min(finished_at)) AS begin
        FROM remodel.job_chunk
        WHERE finished_at > to_timestamp(\(SQLLiteral.integer(Int64(capturing.upperBound + 0.5))))
        """
      ).first
      guard let rows = copied?.integer("rows"),
        let copyBegin = copied?["begin"].flatMap({ Double($0) })
      else { throw BenchmarkError(message: "there is nothing left to copy after the wait") }
      try await Task.sleep(for: .seconds(3))
      let errors =
        (try? String(contentsOf: folder.appending(path: "errors"), encoding: .utf8)) ?? ""
      group.cancelAll()
      while let _ = await group.nextResult() {}

      let log = try LoadLog(in: folder, prefix: "load.")
      let copying = copyBegin..<phases.begin("indexing")
      let cutover = phases.begin("finished")
      let waits = log.waits((cutover - 2)..<(cutover + 2))
      let usual = log.waits(undisturbed)
      let aborted = errors.split(separator: "\n").filter { $0.contains("aborted") }
      for error in aborted { print("  \(error)") }
      return OnlineRound(
        undisturbed: log.throughput(undisturbed),
        capturing: log.throughput(capturing),
        copying: log.throughput(copying),
        copiedRows: Double(rows) / (copying.upperBound - copying.lowerBound),
        duration: cutover - copyBegin,
        failures: log.failures + aborted.count,
        usualWait: usual.isEmpty ? .nan : usual[usual.count * 99 / 100],
        cutoverWait: waits.isEmpty ? .nan : waits[waits.count * 99 / 100],
        longestWait: waits.last ?? .nan
      )
    }
  }

  /// Runs clients until the task is cancelled.
  private func load(_ url: String, _ folder: URL) async throws {
    let script = folder.appending(path: "update.sql")
    try """
    \\set id random(1, \(rows))
    UPDATE public."order" SET quantity = quantity % 100 + 1 WHERE _id = :id;

    """.write(to: script, atomically: true, encoding: .utf8)
    let command =
      "cd \"$0\"; exec pgbench -n -M prepared -c 8 -j 2 -T 3600 -l --log-prefix=load -f update.sql \"$1\" 2>errors"
    _ = try await Subprocess.run(
      .name("sh"),
      arguments: ["-c", command, folder.path, url],
      output: .discarded,
      error: .discarded
    )
  }

  private func now(_ connection: borrowing PostgresConnection) throws -> Double {
    try connection.query("SELECT extract(epoch FROM clock_timestamp())").value
      .flatMap { Double($0) } ?? .nan
  }
}

/// What was seen of one online copy; times in seconds.
private struct OnlineRound {
  /// Transactions a second.
  var undisturbed: Double
  var capturing: Double
  var copying: Double
  var copiedRows: Double
  var duration: Double
  var failures: Int
  var usualWait: Double
  var cutoverWait: Double
  var longestWait: Double
}
