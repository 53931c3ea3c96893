import FoundationEssentials
import RemodelKit
import Subprocess

/// The bulk operations of libraries that map objects to rows.
extension CopyBenchmark {
  /// A migration against the same by libraries of Python, which `PYTHON` may name one for.
  func measureLibraries() async throws {
    let template = try await peopleDatabase()
    var times: [Double] = []
    var peers: [String: [Double]] = [:]
    var libraries = ["sqlalchemy", "django"]
    for _ in 0..<runs {
      times.append(try await template.time { try await migrate(.people, $0) })
      for library in libraries {
        var isThere = true
        let time = try await template.time { isThere = try await copy(by: library, $0) }
        if isThere {
          peers[library, default: []].append(time)
        } else {
          print("\(library) is not there: it is left out")
          libraries.removeAll { $0 == library }
        }
      }
    }
    print("a migration of \(rows) rows against bulk operations of libraries, in turn")
    print("  remodel:     \(Measurement(times).summary)")
    for library in libraries {
      let peer = peers[library] ?? []
      print("  \(library): \(Measurement(peer).summary)")
      print(
        "  ratio:       \(Measurement(zip(peer, times).map(/)).ratios), at least 12 wanted"
      )
    }
  }

  private func peopleDatabase() async throws -> BenchmarkDatabase {
    let database = try BenchmarkDatabase(named: "start_people", on: server)
    try await migrate(.people, database.url, to: "1")
    let connection = try PostgresConnection(to: .url(database.url))
    try connection.execute(
      """
      INSERT INTO public.person (name, amount, quantity)
        SELECT 'given name ' || n % 1000 || ' family name ' || n % 10000, n % 10000 / 100.0, n % 100
        FROM generate_series(1, \(SQLLiteral.integer(Int64(rows)))) AS n
      """
    )
    try connection.execute("VACUUM ANALYZE")
    return database
  }

  /// Returns whether the library is there.
  private func copy(by library: String, _ url: String) async throws -> Bool {
    let script = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../Scripts/bulk_copy.py")
    let python = ProcessInfo.processInfo.environment["PYTHON"] ?? "python3"
    let outcome = try await Subprocess.run(
      .name("env"),
      arguments: [python, script.path, library, url],
      output: .discarded,
      error: .string(limit: 1 << 20)
    )
    if case .exited(3) = outcome.terminationStatus { return false }
    guard outcome.terminationStatus.isSuccess else {
      throw BenchmarkError(message: "\(library): \(outcome.standardError)")
    }
    return true
  }
}
