import SQLSyntax
import TestSupport
import Testing

@testable import RemodelCommands

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// `--log-format json`: standard error has one object a line, and nothing else.
@Suite(.timeLimit(.minutes(30)))
struct LogTests {
  /// The records of a log; each of its lines has to be one.
  private struct Log {
    let records: [[String: JSONValue]]

    init(_ text: String) throws {
      records = try text.split(separator: "\n").map { line in
        let value = try JSONDecoder().decode(JSONValue.self, from: Data(line.utf8))
        guard case .object(let record) = value else { throw NoRecord(line: String(line)) }
        for key in ["time", "level", "event", "message"] {
          guard case .string = record[key] else { throw NoRecord(line: String(line)) }
        }
        return record
      }
    }

    func records(of event: String) -> [[String: JSONValue]] {
      records.filter { $0["event"] == .string(event) }
    }

    var events: Set<String> {
      Set(
        records.compactMap { record in
          if case .string(let event) = record["event"] { event } else { nil }
        }
      )
    }
  }

  private struct NoRecord: Error {
    let line: String
  }

  private static let mapped = """
    remodel: 1
    entities:
      Book:
        attributes: { title: string, length: integer32?, shout: string? }
    """

  private static let mapping = """
    remodelMapping: 1
    source: 1
    destination: 2
    entities:
      - source: Book
        destination: Book
        attributes: { shout: uppercase(title) }
    """

  /// The events that the page on logs lists.
  private func documentedEvents() throws -> Set<String> {
    let page = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
      .appending(path: "Sources/RemodelKit/Documentation.docc/Logs.md")
    let lines = try String(contentsOf: page, encoding: .utf8).split(separator: "\n")
    let rows = lines.drop { !$0.hasPrefix("| event |") }.prefix { $0.hasPrefix("|") }
    return Set(
      rows.flatMap { row in
        let cell = row.split(separator: "|").first ?? ""
        return cell.matches(of: /`([^`]+)`/).map { String($0.output.1) }
      }
    )
  }

  @Test(.tags(.server), .enabled(if: TestServer.isAvailable))
  func `a copy with a warning, and a refusal, are records with the keys that are documented`()
    async throws
  {
    try await withBundle(Version.first, Self.mapped) { folder in
      try write(Self.mapping, to: "\(folder)/a.mapping.yaml")
      try await TestServer.withDatabase { url in
        let call = ["--models", folder, "--database", url, "--log-format", "json", "--debug-sql"]
        let creation = try await Tool.run(["migrate", "--to", "1"] + call)
        try await execute(
          "INSERT INTO public.book (title) SELECT 'title ' || i FROM generate_series(1, 500) AS i",
          at: url
        )

        let refusal = try await Tool.run(["migrate", "--removals", "refuse"] + call)
        let copy = try await Tool.run(
          ["migrate", "--strategy", "online", "--debug-migration"] + call
        )

        #expect(creation.status == 0)
        #expect(refusal.status == 7)
        #expect(copy.status == 0)
        let log = try Log(copy.error)
        let events = try documentedEvents()
        #expect(
          log.events.isSuperset(of: [
            "copy-job-started", "copy-job-moved-on", "entity-mapping", "statement", "step-ended",
            "step-started", "warning",
          ])
        )
        #expect(events.isSuperset(of: log.events), "\(log.events.subtracting(events))")
        let end = try #require(log.records(of: "step-ended").first)
        #expect(end["from"] == "1" && end["to"] == "2" && end["step"] == 1)
        #expect(end["level"] == "info")
        guard case .number(let time) = end["durationMilliseconds"] else {
          Issue.record("\(end)")
          return
        }
        #expect(time > 0)
        let statements = try Log(creation.error).records(of: "statement")
        let numbered = statements.filter { $0["step"] == 1 }.map { $0["statement"] }
        #expect(numbered == (1...max(1, numbered.count)).map { .integer($0) })
        #expect(statements.allSatisfy { $0["rows"] != nil && $0["sql"] != nil })

        let error = try #require(Log(refusal.error).records.last)
        #expect(error["event"] == "error" && error["level"] == "error" && error["code"] == 7)
        #expect(error["message"] != nil)
      }
    }
  }

  @Test
  func `an error is a record, whatever form the result has`() async throws {
    let calls = [
      ["migrate"], ["migrate", "--format", "json"], ["nothing"], ["migrate", "--unheard-of"],
    ]
    for call in calls {
      let option = try await Tool.run(call + ["--log-format", "json"])
      let variable = try await Tool.run(call, environment: ["REMODEL_LOG_FORMAT": "json"])

      for outcome in [option, variable] {
        let records = try Log(outcome.error).records
        #expect(records.count == 1 && records.first?["code"] == 64, "\(outcome)")
        #expect((outcome["code"] == 64) == call.contains("--format"))
      }
    }
  }

  @Test
  func `every complaint about a file is a record with its place`() async throws {
    let faulty = Version.first.replacing("integer32", with: "integr32")
    try await withBundle(faulty, faulty) { folder in
      let outcome = try await Tool.run(
        ["model", "validate", "--models", folder, "--log-format", "json"]
      )

      let records = try Log(outcome.error).records
      #expect(outcome.status == 65)
      #expect(records.count == 2)
      #expect(records.allSatisfy { $0["line"] == 4 && $0["path"] != nil && $0["code"] == 65 })
    }
  }
}
