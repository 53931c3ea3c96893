import FoundationEssentials
import RemodelKit
import Subprocess

/// Verbs over many stores of one database: creating them, with nothing to do, and a step of one column in
/// each; against psql that asks each of them for its rows, in turn.
enum StoresBenchmark {
  static func run(remodel: String, stores: Int, runs: Int) async throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "remodel-benchmark-\(UUID().uuidString)")
    let bundle = folder.appending(path: "Shop.remodel")
    try FileManager.default.createDirectory(at: bundle, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try DeployBenchmark.model(entities: 10)
      .write(to: bundle.appending(path: "1.yaml"), atomically: true, encoding: .utf8)
    let script = folder.appending(path: "ask.sql")
    try (1...stores).map { "SELECT count(*) FROM tenant_\($0).entity0;\n" }.joined()
      .write(to: script, atomically: true, encoding: .utf8)

    try await ScratchServer.withServer { server in
      let url = try BenchmarkDatabase(named: "tenants", on: server).url
      let connection = try PostgresConnection(to: .url(url))
      for number in 1...stores {
        try connection.execute("CREATE SCHEMA \(SQLIdentifier("tenant_\(number)"))")
      }
      let options = ["--database", url, "--models", bundle.path, "--each-schema", "tenant_*"]
      func perStore(_ body: () async throws -> Void) async throws -> Double {
        try await seconds { try await body() } / Double(stores)
      }
      let creation = try await perStore { try await launch(remodel, ["migrate"] + options) }
      print("\(stores) stores with 10 tables each, one at a time; milliseconds a store")
      print("  creating them: \(Measurement.milliseconds(creation))")
      for verb in ["migrate", "check", "status", "plan", "verify"] {
        var times: [Double] = []
        var ratios: [Double] = []
        for _ in 0..<runs {
          let time = try await perStore { try await launch(remodel, [verb] + options) }
          let asking = try await perStore {
            try await launch("psql", ["--no-psqlrc", "--quiet", "--file", script.path, url])
          }
          times.append(time)
          ratios.append(time / asking)
        }
        print("  \(verb): \(Measurement(times).summary), \(Measurement(ratios).ratios) of psql")
      }
      try DeployBenchmark.model(entities: 10)
        .replacing(
          "Entity0:\n    attributes: {",
          with: "Entity0:\n    attributes: { isbn: string?,"
        )
        .write(to: bundle.appending(path: "2.yaml"), atomically: true, encoding: .utf8)
      for verb in ["plan", "migrate"] {
        let step = try await perStore { try await launch(remodel, [verb] + options) }
        print("  \(verb) with a step: \(Measurement.milliseconds(step))")
      }
    }
  }
}
