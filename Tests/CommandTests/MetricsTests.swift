import ArgumentParser
import RemodelKit
import SQLSyntax
import TestSupport
import Testing

@testable import RemodelCommands

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Prometheus' text format, as its documentation has it, read strictly.
private struct Exposition {
  struct Sample: Hashable {
    let name: String
    let labels: [String: String]
    let value: Double
  }

  struct NotReadable: Error {
    let line: Substring
  }

  private(set) var samples: [Sample] = []
  private(set) var types: [String: String] = [:]
  private var helps: Set<String> = []

  init(_ text: String) throws {
    guard text.isEmpty || text.hasSuffix("\n") else { throw NotReadable(line: "no end of line") }
    var family: String?
    for line in text.split(separator: "\n", omittingEmptySubsequences: true) {
      if line.hasPrefix("# ") {
        let words = line.split(separator: " ", maxSplits: 3)
        guard words.count == 4 else { throw NotReadable(line: line) }
        let name = String(words[2])
        switch words[1] {
        case "HELP":
          // All lines of a family follow one another.
          guard helps.insert(name).inserted else { throw NotReadable(line: line) }
          family = name
        case "TYPE":
          guard family == name, ["gauge", "counter"].contains(words[3]) else {
            throw NotReadable(line: line)
          }
          types[name] = String(words[3])
        default: throw NotReadable(line: line)
        }
        continue
      }
      let sample = try Self.sample(line)
      guard sample.name == family, types[sample.name] != nil,
        !samples.contains(where: {
          $0.name == sample.name && $0.labels == sample.labels
        })
      else { throw NotReadable(line: line) }
      samples.append(sample)
    }
  }

  private static func sample(_ line: Substring) throws -> Sample {
    var rest = line[...]
    let name = rest.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
    rest = rest[name.endIndex...]
    var labels: [String: String] = [:]
    if rest.first == "{" {
      rest.removeFirst()
      while rest.first != "}" {
        let label = rest.prefix { $0.isASCII && ($0.isLetter || $0 == "_") }
        rest = rest[label.endIndex...]
        guard !label.isEmpty, rest.hasPrefix("=\"") else { throw NotReadable(line: line) }
        rest.removeFirst(2)
        var value = ""
        while let next = rest.first, next != "\"" {
          rest.removeFirst()
          guard next == "\\" else {
            value.append(next)
            continue
          }
          guard let escaped = rest.popFirst(),
            let plain = ["n": "\n", "\\": "\\", "\"": "\""][escaped]
          else { throw NotReadable(line: line) }
          value += plain
        }
        guard rest.popFirst() == "\"", labels.updateValue(value, forKey: String(label)) == nil
        else { throw NotReadable(line: line) }
        if rest.first == "," { rest.removeFirst() }
      }
      rest.removeFirst()
    }
    guard !name.isEmpty, rest.first == " ", let value = Double(rest.dropFirst()) else {
      throw NotReadable(line: line)
    }
    return Sample(name: String(name), labels: labels, value: value)
  }

  func value(_ name: String, _ labels: [String: String] = [:]) -> Double? {
    samples.first { $0.name == name && $0.labels == labels }?.value
  }

  func labels(_ name: String) -> [[String: String]] {
    samples.filter { $0.name == name }.map(\.labels)
  }
}

/// `--metrics-file`: Prometheus' text format, written as a whole, never the cause of a failure.
@Suite(.timeLimit(.minutes(30)))
struct MetricsTests {
  @Test(arguments: [
    "plain", "a \"quoted\" one", "back\\slash", "two\nlines", "\\n", "end\\", "日本", "\r\n", "}",
  ])
  func `labels are read as they were written`(value: String) throws {
    var family = MetricFamily("remodel_x", .gauge, "Help with \\ and\na line.")
    family.add(1.5, [.init(name: "a", value: value), .init(name: "b", value: "")])
    family.add(nil)

    let read = try Exposition(family.text)

    #expect(read.samples == [.init(name: "remodel_x", labels: ["a": value, "b": ""], value: 1.5)])
  }

  @Test
  func `a family without numbers has no lines`() {
    #expect(MetricFamily("remodel_x", .counter, "Nothing.").text == "")
  }

  private func metrics(_ path: String) throws -> Exposition {
    try Exposition(String(contentsOfFile: path, encoding: .utf8))
  }

  @Test
  func `the outcome is that of the exit code`() {
    struct Nothing: Report {
      let json: JSONObject = [:]
      let blocks: [Block] = []
      let warnings: [Diagnostic] = []
    }
    let outcomes: [RemodelCommands.ExitStatus: String] = [
      .success: "done", .difference: "different", .refused: "refused",
      .unfinishedJob: "unfinished", .interrupted: "interrupted", .terminated: "interrupted",
    ]
    for status in RemodelCommands.ExitStatus.allCases {
      let end = RunMetrics.End(VerbResult(Nothing(), status: status))
      let failure = RunMetrics.End(ExitCode(status.rawValue))

      #expect(end.status == status && end.outcome == outcomes[status] ?? "failed")
      #expect(failure.status == status && failure.outcome == end.outcome)
    }
  }

  @Test(.tags(.server), .enabled(if: TestServer.isAvailable))
  func `a result that cannot be written is a failure`() async throws {
    try await withBundle(Version.first) { folder in
      try await TestServer.withDatabase { url in
        let path = "\(folder)/remodel.prom"
        let call = ["--models", folder, "--database", url, "--metrics-file", path]
        let outcome = try await Tool.run(
          ["migrate", "--output", "\(folder)/missing/report.json"] + call
        )

        let metrics = try metrics(path)
        #expect(outcome.status != 0)
        #expect(metrics.value("remodel_run_exit_code") == outcome.status.map(Double.init))
        #expect(metrics.value("remodel_run_outcome_info", ["outcome": "failed"]) == 1)
      }
    }
  }

  @Test(.tags(.server), .enabled(if: TestServer.isAvailable))
  func `a copy, a cleanup and a refusal write what they came to`() async throws {
    try await withCopiedBooks { folder in
      try await TestServer.withDatabase { url in
        let path = "\(folder)/remodel.prom"
        let call = ["--models", folder, "--database", url, "--metrics-file", path]
        try await expect(0, ["migrate", "--to", "1"] + call)
        let creation = try metrics(path)
        try await execute(
          "INSERT INTO public.book (title) SELECT 't' || i FROM generate_series(1, 3000) AS i",
          at: url
        )
        try await expect(7, ["migrate", "--removals", "refuse"] + call)
        let refusal = try metrics(path)
        try await expect(0, ["migrate", "--strategy", "gated"] + call)
        let copy = try metrics(path)
        try await expect(0, ["cleanup", "--yes"] + call)
        let cleanup = try metrics(path)

        #expect(creation.value("remodel_run_outcome_info", ["outcome": "created"]) == 1)
        #expect(refusal.value("remodel_run_exit_code") == 7)
        #expect(refusal.value("remodel_run_success") == 0)
        #expect(copy.value("remodel_run_in_progress") == 0)
        #expect(copy.value("remodel_run_exit_code") == 0)
        #expect(copy.value("remodel_run_success") == 1)
        #expect(copy.value("remodel_run_outcome_info", ["outcome": "migrated"]) == 1)
        #expect(copy.value("remodel_rows_copied_total") == 3_000)
        #expect(copy.types["remodel_rows_copied_total"] == "counter")
        #expect(copy.value("remodel_steps_committed_total") == 1)
        #expect(copy.value("remodel_writers_turned_away_seconds") ?? 0 > 0)
        #expect(copy.value("remodel_longest_lock_seconds") ?? 0 > 0)
        let phases = copy.labels("remodel_phase_duration_seconds").compactMap { $0["phase"] }
        #expect(phases == ["prepare", "copy-rows", "build-indexes", "compare", "switch"])
        let info = try #require(copy.labels("remodel_run_info").first)
        #expect(info["from"] == "1" && info["to"] == "2" && info["schema"] == "public")
        #expect(info["database"]?.isEmpty == false && info["model"] != nil)
        let begin = try #require(
          copy.value("remodel_run_start_time_seconds", ["verb": "migrate"])
        )
        #expect(copy.value("remodel_run_end_time_seconds") ?? 0 >= begin)
        #expect(
          cleanup.value("remodel_phase_duration_seconds", ["phase": "clean-up"]) ?? 0 > 0
        )
        // Nothing is left beside it.
        let files = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(files.filter { $0.contains("prom") } == ["remodel.prom"])
      }
    }
  }

  @Test(.tags(.server), .enabled(if: TestServer.isAvailable))
  func `a file that cannot be written is a warning, and nothing else is put in its place`()
    async throws
  {
    try await withBundle(Version.first, Version.first) { folder in
      try await TestServer.withDatabase { url in
        let call = ["migrate", "--to", "1", "--models", folder, "--database", url]
        let missing = try await Tool.run(call + ["--metrics-file", "\(folder)/none/remodel.prom"])
        let device = try await Tool.run(call, environment: ["REMODEL_METRICS_FILE": "/dev/null"])
        let isFolder = try await Tool.run(call + ["--metrics-file", folder])

        for outcome in [missing, device, isFolder] {
          #expect(outcome.status == 0, "\(outcome)")
          #expect(outcome.error.contains("WARNING:  could not write the metrics"), "\(outcome)")
          let count = outcome.error.split(separator: "could not write the metrics").count
          #expect(count == 2, "\(outcome.error)")
        }
        let attributes = try FileManager.default.attributesOfItem(atPath: "/dev/null")
        #expect(attributes[.type] as? FileAttributeType == .typeCharacterSpecial)
      }
    }
  }

  @Test(.tags(.server), .enabled(if: TestServer.isAvailable))
  func `many stores have a label each`() async throws {
    try await withBundle(Version.first, Version.first) { folder in
      try await TestServer.withDatabase { url in
        for schema in ["tenant_a", "tenant_b"] {
          try await execute("CREATE SCHEMA \(SQLIdentifier(schema))", at: url)
        }
        let path = "\(folder)/remodel.prom"
        try await expect(
          0,
          [
            "migrate", "--to", "1", "--each-schema", "tenant_*", "--models", folder, "--database",
            url, "--metrics-file", path,
          ]
        )

        let read = try metrics(path)
        #expect(read.value("remodel_stores", ["state": "done"]) == 2)
        #expect(read.value("remodel_stores", ["state": "failed"]) == 0)
        let targets = Set(read.labels("remodel_steps_committed_total").compactMap { $0["target"] })
        #expect(targets.count == 2, "\(read.samples)")
      }
    }
  }
}
