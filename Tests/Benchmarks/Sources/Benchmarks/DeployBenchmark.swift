import FoundationEssentials
import RemodelKit
import Subprocess

/// `remodel migrate` with nothing to do against a program that connects and runs one query, alternately, for
/// models of several sizes.
enum DeployBenchmark {
  static func run(remodel: String, bare: String, runs: Int) async throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "remodel-benchmark-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }

    try await ScratchServer.withServer { server in
      print("migrate with nothing to do against a bare libpq program, whole processes in turn")
      for entities in [30, 1000, 5000] {
        let bundle = folder.appending(path: "Shop\(entities).remodel")
        try FileManager.default.createDirectory(at: bundle, withIntermediateDirectories: true)
        try model(entities: entities)
          .write(to: bundle.appending(path: "1.yaml"), atomically: true, encoding: .utf8)
        let url = try BenchmarkDatabase(named: SQLIdentifier("shop_\(entities)"), on: server).url
        let migrate = ["migrate", "--database", url, "--models", bundle.path]
        try await launch(remodel, migrate)
        var remodelTimes: [Double] = []
        var bareTimes: [Double] = []
        for _ in 0..<runs {
          remodelTimes.append(try await seconds { try await launch(remodel, migrate) })
          bareTimes.append(try await seconds { try await launch(bare, [url]) })
        }
        let ratios = zip(remodelTimes, bareTimes).map { $0 / $1 }
        print("  \(entities) entities")
        print("    remodel: \(Measurement(remodelTimes).summary)")
        print("    libpq:   \(Measurement(bareTimes).summary)")
        print("    ratio:   \(Measurement(ratios).ratios)")
      }
    }
  }

  /// Returns a model of a ring of entities.
  static func model(entities: Int) -> String {
    """
    remodel: 1
    entities:
    """
      + (0..<entities).map { index in
        """

          Entity\(index):
            attributes: { name: string, amount: "numeric(12,2)?", count: integer32?, made: timestamp? }
            relationships: { next: { to: Entity\((index + 1) % entities)? } }
        """
      }.joined() + "\n"
  }
}

/// Runs a program, whose name may be a path, and expects that it succeeds.
func launch(_ program: String, _ arguments: [String]) async throws {
  let outcome = try await Subprocess.run(
    program.contains("/") ? .path(.init(program)) : .name(program),
    arguments: Arguments(arguments),
    output: .discarded,
    error: .string(limit: 100_000)
  )
  guard outcome.terminationStatus.isSuccess else {
    throw BenchmarkError(
      message: "\(program) ended with \(outcome.terminationStatus): \(outcome.standardError)"
    )
  }
}

struct BenchmarkError: Error {
  let message: String
}
