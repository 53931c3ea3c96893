import RemodelKit

/// What the server does, without others.
extension CopyBenchmark {
  /// A locked copy against `CREATE TABLE AS`.
  func measureLocked() async throws {
    let template = try await database(.plain, rows: rows)
    var times: [Double] = []
    var peers: [Double] = []
    for _ in 0..<runs {
      times.append(
        try await template.time {
          try await migrate(.plain, $0, options: ["--strategy", "locked"])
        }
      )
      peers.append(try await template.time { try HandWrittenCopy.runCreatingTable($0) })
    }
    print("a locked copy of \(rows) rows against CREATE TABLE AS and the same constraints, in turn")
    print("  remodel:     \(Measurement(times).summary)")
    print("  by hand:     \(Measurement(peers).summary)")
    print("  ratio:       \(Measurement(zip(times, peers).map(/)).ratios), at most 1.05 wanted")
  }

  /// A gated copy against one `INSERT`.
  func measureGated() async throws {
    let template = try await database(.plain, rows: rows)
    var times: [Double] = []
    var phases: [CopyPhases] = []
    var peers: [Double] = []
    var insertions: [Double] = []
    for _ in 0..<runs {
      var found: CopyPhases?
      times.append(
        try await template.time { url in
          try await migrate(.plain, url, options: ["--strategy", "gated"])
          found = try CopyPhases(url)
        }
      )
      if let found { phases.append(found) }
      peers.append(
        try await template.time { insertions.append(try HandWrittenCopy.runInserting($0)) }
      )
    }
    let copying = phases.map(\.copying)
    let verifying = phases.map(\.verifying)
    let unverified = zip(times, verifying).map(-)
    print("a gated copy of \(rows) rows against one INSERT with the same constraints, in turn")
    print("  chunks:                \(Measurement(copying).summary)")
    print("  INSERT:                \(Measurement(insertions).summary)")
    print(
      "  ratio:                 \(Measurement(zip(copying, insertions).map(/)).ratios), at most 1.10 wanted"
    )
    print("  all:                   \(Measurement(times).summary)")
    print("  of it comparing:       \(Measurement(verifying).summary)")
    print("  by hand:               \(Measurement(peers).summary)")
    print("  ratio:                 \(Measurement(zip(times, peers).map(/)).ratios)")
    print(
      "  ratio, not comparing:  \(Measurement(zip(unverified, peers).map(/)).ratios), at most 1.10 wanted"
    )
  }

  /// Two workers against one.
  func measureWorkers() async throws {
    for bundle in [CopyBundles.Bundle.plain, .costly] {
      let template = try await database(bundle, rows: rows)
      var times: [[Double]] = [[], []]
      for _ in 0..<runs {
        for workers in 1...2 {
          _ = try await template.time { url in
            try await migrate(
              bundle,
              url,
              options: ["--strategy", "gated", "--jobs", "\(workers)"]
            )
            times[workers - 1].append(try CopyPhases(url).copying)
          }
        }
      }
      let goal = bundle == .costly ? "1.5" : "1.0"
      print("the chunks of a \(bundle.rawValue) copy of \(rows) rows, in turn")
      print("  one worker:   \(Measurement(times[0]).summary)")
      print("  two workers:  \(Measurement(times[1]).summary)")
      print(
        "  gain:         \(Measurement(zip(times[0], times[1]).map(/)).ratios), at least \(goal) wanted"
      )
    }
  }
}
