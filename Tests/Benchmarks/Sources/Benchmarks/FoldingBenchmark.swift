import RemodelKit
import Subprocess

/// A folded path over all versions of a bundle, against `psql` running the same SQL in one
/// transaction and against the same path version by version, alternately.
enum FoldingBenchmark {
  static func run(bundle path: String, from first: String, rows: Int, runs: Int) async throws {
    let remodel = Remodel(RemodelConfiguration(modelsPath: path))
    let bundle = try ModelBundle(at: path)
    guard let start = bundle.versions.firstIndex(where: { $0.name == first }) else {
      throw BenchmarkError(message: "there is no version \(first)")
    }
    let versions = bundle.versions[start...].map(\.name)
    guard let last = versions.last else { return }

    try await ScratchServer.withServer { server in
      let template = try BenchmarkDatabase(named: "start", on: server)
      _ = try await remodel.migrate(.url(template.url), to: first)
      try template.fill(rows: rows)
      let plan = try await remodel.plan(.url(template.url), to: last)
      let statements = plan.plan.steps.reduce(0) { $0 + $1.statements.count }
      print(
        "\(bundle.name), \(versions.count) versions in \(plan.plan.steps.count) steps of "
          + "\(statements) statements, \(rows) rows a table, in turn"
      )

      var times = Times()
      for _ in 0..<runs {
        times.folded.append(
          try await template.time { _ = try await remodel.migrate(.url($0), to: last) }
        )
        times.psql.append(
          try await template.time { try await runScript(plan.script, $0) }
        )
        times.stepwise.append(
          try await template.time { url in
            for version in versions.dropFirst() {
              _ = try await remodel.migrate(.url(url), to: version)
            }
          }
        )
      }
      times.report()
    }
  }

  private static func runScript(_ script: String, _ url: String) async throws {
    let outcome = try await Subprocess.run(
      .name("psql"),
      arguments: ["-X", "-q", "-v", "ON_ERROR_STOP=1", "-f", "-", "-d", url],
      input: .string(script),
      output: .discarded,
      error: .string(limit: 1 << 16)
    )
    guard outcome.terminationStatus.isSuccess else {
      throw BenchmarkError(message: outcome.standardError)
    }
  }

  private struct Times {
    var folded: [Double] = []
    var psql: [Double] = []
    var stepwise: [Double] = []

    func report() {
      print("  folded:             \(Measurement(folded).summary)")
      print("  psql:               \(Measurement(psql).summary)")
      print("  version by version: \(Measurement(stepwise).summary)")
      print("  folded to psql:               \(Measurement(zip(folded, psql).map(/)).ratios)")
      print("  version by version to folded: \(Measurement(zip(stepwise, folded).map(/)).ratios)")
    }
  }
}
