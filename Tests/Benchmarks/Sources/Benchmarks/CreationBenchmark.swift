import FoundationEssentials
import RemodelKit
import Subprocess

/// `remodel migrate` into an empty database against psql with the same SQL, each with an empty copy.
enum CreationBenchmark {
  static func run(remodel: String, tables: Int, runs: Int) async throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "remodel-benchmark-\(UUID().uuidString)")
    let bundle = folder.appending(path: "Shop.remodel")
    try FileManager.default.createDirectory(at: bundle, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try DeployBenchmark.model(entities: tables)
      .write(to: bundle.appending(path: "1.yaml"), atomically: true, encoding: .utf8)
    let script = folder.appending(path: "create.sql").path

    try await ScratchServer.withServer { server in
      let database = try BenchmarkDatabase(named: "empty", on: server)
      try await launch(
        remodel,
        ["plan", "--models", bundle.path, "--database", database.url, "--output", script]
      )
      var remodelTimes: [Double] = []
      var psqlTimes: [Double] = []
      for _ in 0..<runs {
        remodelTimes.append(
          try await database.time { url in
            try await launch(remodel, ["migrate", "--models", bundle.path, "--database", url])
          }
        )
        psqlTimes.append(
          try await database.time { url in
            try await launch(
              "psql",
              ["--no-psqlrc", "--quiet", "--set", "ON_ERROR_STOP=1", "--file", script, url]
            )
          }
        )
      }
      let ratios = zip(remodelTimes, psqlTimes).map { $0 / $1 }
      print("creating \(tables) tables against psql with the same SQL, whole processes in turn")
      print("  remodel: \(Measurement(remodelTimes).summary)")
      print("  psql:    \(Measurement(psqlTimes).summary)")
      print("  ratio:   \(Measurement(ratios).ratios), at most 1.15 wanted")
    }
  }
}
