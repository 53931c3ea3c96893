import FoundationEssentials
import RemodelKit
import Subprocess

extension CopyBenchmark {
  /// The memory of the tool for many rows against that for 10,000.
  func measureMemory() async throws {
    let few = try await database(.plain, rows: 10_000)
    let many = try await database(.plain, rows: rows)
    let options = ["--strategy", "gated"]
    var peaks: [Double] = []
    var peers: [Double] = []
    for _ in 0..<runs {
      _ = try await few.time { peers.append(try await peakMemory($0, options)) }
      _ = try await many.time { peaks.append(try await peakMemory($0, options)) }
    }
    print("the memory of the tool at its peak, in a gated copy, in turn")
    print("  10,000 rows:  \(Measurement(peers).ratios) MB")
    print("  \(rows) rows: \(Measurement(peaks).ratios) MB")
    print("  ratio:        \(Measurement(zip(peaks, peers).map(/)).ratios), at most 1.10 wanted")
  }

  /// Returns the most memory that `remodel migrate` has had, in megabytes.
  private func peakMemory(_ url: String, _ options: [String]) async throws -> Double {
    let idFile = FileManager.default.temporaryDirectory.appending(
      path: "remodel-\(UUID().uuidString)"
    )
    defer { try? FileManager.default.removeItem(at: idFile) }
    let arguments =
      ["-c", "echo $$ > \"$0\"; exec \"$@\"", idFile.path, remodel, "migrate", "--database", url]
      + ["--models", bundles.path(.plain), "--to", "2"] + options
    async let outcome = Subprocess.run(
      .name("sh"),
      arguments: Arguments(arguments),
      output: .discarded,
      error: .string(limit: 1 << 20)
    )
    // The kernel keeps the peak, so only one after the last reading is missed.
    var peak = 0.0
    while true {
      try await Task.sleep(for: .milliseconds(10))
      guard let id = try? String(contentsOf: idFile, encoding: .utf8), id.hasSuffix("\n") else {
        continue
      }
      guard
        let status = try? String(contentsOfFile: "/proc/\(id.dropLast())/status", encoding: .utf8),
        let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") }),
        let kilobytes = line.split(whereSeparator: { !$0.isNumber }).first.flatMap({ Double($0) })
      else { break }
      peak = kilobytes / 1024
    }
    guard try await outcome.terminationStatus.isSuccess else {
      throw BenchmarkError(message: try await outcome.standardError)
    }
    return peak
  }
}
