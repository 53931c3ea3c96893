import FoundationEssentials
import RemodelKit
import Subprocess

/// Copies into another database.
extension CopyBenchmark {
  /// A migration into another database against `pg_dump | pg_restore` of the same tables.
  func measureTransfer() async throws {
    let source = try await database(.plain, rows: rows)
    let empty = try BenchmarkDatabase(named: "empty", on: server)
    var times: [Double] = []
    var peers: [Double] = []
    for _ in 0..<runs {
      times.append(
        try await empty.time {
          try await migrate(.plain, source.url, to: "1", options: ["--into-database", $0])
        }
      )
      peers.append(try await empty.time { try await dumpAndRestore(source.url, $0) })
    }
    print("\(rows) rows into another database against pg_dump | pg_restore, in turn")
    print("  remodel:     \(Measurement(times).summary)")
    print("  pg_restore:  \(Measurement(peers).summary)")
    print("  ratio:       \(Measurement(zip(times, peers).map(/)).ratios), at most 1.00 wanted")
  }

  private func dumpAndRestore(_ source: String, _ destination: String) async throws {
    let script = """
      pg_dump --format custom --compress 0 --dbname "$1" | \
      pg_restore --no-owner --dbname "$2" --exit-on-error
      """
    let outcome = try await Subprocess.run(
      .path("/bin/bash"),
      arguments: ["-o", "pipefail", "-c", script, "restore", source, destination],
      output: .discarded,
      error: .string(limit: 1 << 20)
    )
    guard outcome.terminationStatus.isSuccess else {
      throw BenchmarkError(message: "pg_restore: \(outcome.standardError)")
    }
  }
}
