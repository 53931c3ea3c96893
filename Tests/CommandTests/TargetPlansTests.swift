import SQLSyntax
import TestSupport
import Testing

@testable import RemodelCommands

/// What `plan` says of many stores.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct TargetPlansTests {
  private static let shouting = """
    remodelMapping: 1
    source: 2
    destination: 3
    entities:
      - source: Book
        destination: Book
        attributes: { title: title, pages: pages, isbn: isbn, blurb: "uppercase(title)" }
    """

  private struct SharedPlan: Hashable {
    var targets: [JSONValue]
    var source: JSONValue?
  }

  private func plans(_ outcome: Tool.Outcome) -> [SharedPlan] {
    guard case .array(let list)? = outcome["plans"] else { return [] }
    return list.compactMap { element in
      guard case .object(let keys) = element, case .array(let targets)? = keys["targets"],
        case .object(let plan)? = keys["plan"]
      else { return nil }
      return SharedPlan(targets: targets, source: plan["source"])
    }
  }

  @Test(arguments: [false, true])
  func `stores at the same version share a plan`(isCopy: Bool) async throws {
    try await withBundle(Version.first, Version.withAuthor, Version.withBlurb) { folder in
      if isCopy { try write(Self.shouting, to: "\(folder)/a.mapping.yaml") }
      try await TestServer.withDatabase { url in
        try await Tenants.create(7, at: url)
        let models = ["--models", folder, "--database", url]
        let all = models + ["--each-schema", "tenant_*"]
        for (number, version) in [(2, "1"), (3, "2"), (4, "2"), (5, "3")] {
          let store = ["--schema", "tenant_\(number)", "--to", version]
          _ = try await Tool.run(["migrate"] + models + store)
        }
        // What the server gives out has the name of the schema in its text.
        for number in [3, 4] {
          let schema = Tenants.schema(number)
          try await execute(
            "CREATE VIEW \(schema).titles AS SELECT title FROM \(schema).book",
            at: url
          )
        }
        let copy = isCopy ? ["--strategy", "online"] : []
        let json = ["--format", "json", "--exit-code", "--parallel", "3"]

        let outcome = try await Tool.run(["plan"] + all + copy + json)
        let text = try await Tool.run(["plan"] + all + copy)

        #expect(outcome.status == 2, "\(outcome)")
        #expect(
          plans(outcome) == [
            SharedPlan(targets: ["tenant_1", "tenant_6", "tenant_7"], source: .null),
            SharedPlan(targets: ["tenant_2"], source: "1"),
            SharedPlan(targets: ["tenant_3", "tenant_4"], source: "2"),
          ]
        )
        let report = try TargetsDocument(outcome.json, of: "plan-target")
        #expect(report.count("planned") == 6 && report.count("unchanged") == 1)
        #expect(text.status == 0)
        #expect(
          text.output.contains("plan 1 of 3: 3 stores, shown as for tenant_1, where it"),
          "\(text)"
        )
        #expect(text.output.contains("\n  tenant_1, tenant_6, tenant_7\n"))
        #expect(text.output.hasSuffix("\n7 stores: 6 planned, 1 unchanged\n"))
      }
    }
  }

  @Test
  func `an obstacle to a store is reported for that store`() async throws {
    try await withBundle(Version.first, Version.requiredPages) { folder in
      try await TestServer.withDatabase { url in
        try await Tenants.create(3, at: url)
        let call = ["--models", folder, "--database", url, "--each-schema", "tenant_*"]
        _ = try await Tool.run(["migrate", "--to", "1"] + call)
        try await Tenants.addBook(pages: nil, to: 2, at: url)

        let outcome = try await Tool.run(["plan", "--format", "json"] + call)
        let text = try await Tool.run(["plan"] + call)
        let refused = try await Tool.run(["plan", "--deny", "fails-on-data"] + call)

        #expect(outcome.status == 9, "\(outcome)")
        let report = try TargetsDocument(outcome.json, of: "plan-target")
        #expect(
          report.outcomes == [
            "tenant_1": "planned", "tenant_2": "rows-in-the-way", "tenant_3": "planned",
          ]
        )
        #expect(text.output.contains("tenant_2  rows in the way  1 row: "), "\(text)")
        #expect(text.output.hasSuffix("\n3 stores: 2 planned, 1 rows in the way\n"))
        #expect(refused.status == 7, "\(refused)")
        #expect(refused.output.hasSuffix("\n3 stores: 3 refused\n"))
      }
    }
  }

  @Test
  func `a report of many plans is none that may run`() async throws {
    try await withBundle(Version.first) { folder in
      try await TestServer.withDatabase { url in
        try await Tenants.create(2, at: url)
        let models = ["--models", folder, "--database", url]
        let all = models + ["--each-schema", "tenant_*"]
        let plan = "\(folder)/plan.json"

        let written = try await Tool.run(["plan", "--output", plan] + all)
        let one = try await Tool.run(["migrate", "--plan", plan] + models)
        let many = try await Tool.run(["migrate", "--plan", plan] + all)

        #expect(written.status == 0, "\(written)")
        #expect(one.status == 65, "\(one)")
        #expect(one.error.contains("It shows the plans of several stores."))
        #expect(many.status == 64, "\(many)")
        #expect(many.error.contains("HINT:  Use the file for its own store"))
      }
    }
  }

  @Test(arguments: [
    ["--from", "1"], ["--format", "sql"], ["--format", "html"], ["--output", "a.md"],
    ["--rehearse"], ["--into-schema", "x"], ["--schema", "x"],
  ])
  func `a faulty call ends with 64`(arguments: [String]) async throws {
    try await withBundle(Version.first) { folder in
      var call = ["plan", "--models", folder, "--each-schema", "a*"] + arguments
      if arguments.first != "--from" { call += ["--database", "postgresql:///x"] }
      let outcome = try await Tool.run(call)

      #expect(outcome.status == 64, "\(outcome)")
    }
  }
}
