import SQLSyntax
import TestSupport
import Testing

@testable import RemodelCommands

@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct TargetsTests {
  @Test
  func `the failure of one store does not affect the others`() async throws {
    try await withBundle(Version.first, Version.requiredPages) { folder in
      try await TestServer.withTwoDatabases { first, second in
        try write("# all\n\(first)\n\(second)\n", to: "\(folder)/targets.txt")
        for url in [first, second] { try await Tenants.create(3, at: url) }
        let options = ["--targets", "\(folder)/targets.txt", "--each-schema", "tenant_*"]
        let call = options + ["--models", folder, "--format", "json"]

        let creation = try await Tool.run(["migrate", "--to", "1"] + call)
        try await Tenants.addBook(pages: nil, to: 2, at: second)
        let behind = try await Tool.run(["check"] + call)
        let migration = try await Tool.run(["migrate", "--parallel", "2"] + call)
        let rerun = try await Tool.run(["migrate"] + call)
        let text = try await Tool.run(["migrate", "--models", folder] + options)
        try await execute("UPDATE tenant_2.book SET pages = 1", at: second)
        let mended = try await Tool.run(["migrate"] + call)
        let current = try await Tool.run(["check"] + call)

        #expect(creation.status == 0, "\(creation)")
        #expect(try TargetsDocument(creation.json, of: "migrate").count("created") == 6)
        #expect(behind.status == 2)
        #expect(behind["current"] == false)
        #expect(try TargetsDocument(behind.json, of: "check").count("not-current") == 6)

        let report = try TargetsDocument(migration.json, of: "migrate")
        let failed = try #require(report.outcomes.first { $0.value == "failed" }?.key)
        #expect(migration.status == 9, "\(migration)")
        #expect(report.count("migrated") == 5)
        #expect(failed.hasSuffix("_2/tenant_2"))
        #expect(report.code(of: failed) == 9)
        #expect(rerun.status == 9)
        #expect(try TargetsDocument(rerun.json, of: "migrate").count("unchanged") == 5)

        // Of those with nothing to do there is no line.
        #expect(text.output.contains("\(failed)  failed\n  ERROR:  "), "\(text)")
        #expect(text.output.hasSuffix("\n6 stores: 5 unchanged, 1 failed\n"))
        #expect(!text.output.contains("tenant_1"))
        #expect(text.error.contains("store failed"))
        #expect(text.error.contains("target=\(failed)"))

        #expect(mended.status == 0, "\(mended)")
        #expect(try TargetsDocument(mended.json, of: "migrate").count("migrated") == 1)
        #expect(current.status == 0)
        #expect(current["current"] == true)
      }
    }
  }

  @Test
  func `errors of several kinds end with 1`() async throws {
    try await withBundle(Version.first, Version.requiredPages) { folder in
      try await TestServer.withDatabase { url in
        try await Tenants.create(3, at: url)
        let call = ["--each-schema", "tenant_*", "--models", folder, "--database", url]
        try await execute("CREATE TABLE tenant_1.stranger (id integer)", at: url)
        let creation = try await Tool.run(["migrate", "--to", "1"] + call)
        try await Tenants.addBook(pages: nil, to: 2, at: url)

        let migration = try await Tool.run(["migrate", "--format", "json"] + call)
        let status = try await Tool.run(["status"] + call)
        let check = try await Tool.run(["check"] + call)

        let report = try TargetsDocument(migration.json, of: "migrate")
        #expect(creation.status == 4)
        #expect(creation.output.contains("tenant_1  failed"), "\(creation)")
        #expect(migration.status == 1)
        #expect(report.outcomes["tenant_1"] == "failed")
        #expect(report.outcomes["tenant_2"] == "failed")
        #expect(report.outcomes["tenant_3"] == "migrated")
        #expect(report.code(of: "tenant_1") == 4)
        #expect(report.code(of: "tenant_2") == 9)
        #expect(status.status == 4)
        #expect(status.output.contains("tenant_2  older   version \"1\""), "\(status)")
        #expect(status.output.hasSuffix("3 stores: 1 current, 1 older, 1 failed\n"))
        #expect(check.status == 4)
        #expect(check.output.contains("tenant_2  not current"), "\(check)")
      }
    }
  }

  @Test
  func `a database that is not there is one of the failures`() async throws {
    try await withBundle(Version.first) { folder in
      try await TestServer.withDatabase { url in
        try await Tenants.create(1, at: url)
        let missing = url.replacing(/\/[^\/?]+\?/, with: "/nowhere?")
        let list = "\(missing)\n\(url) schema=tenant_1\n"
        try write(list, to: "\(folder)/targets.txt")
        let call = ["migrate", "--models", folder, "--format", "json"]

        let each = ["--targets", "\(folder)/targets.txt", "--each-schema", "*"]
        let found = try await Tool.run(call + each)
        let listed = try await Tool.shell(
          "printf '%s' '\(list)' | \"$TOOL\" \(call.joined(separator: " ")) --targets -"
        )

        #expect(missing != url)
        for (outcome, word) in [(found, "created"), (listed, "unchanged")] {
          let report = try TargetsDocument(outcome.json, of: "migrate")
          #expect(outcome.status == 6, "\(outcome)")
          #expect(report.outcomes["nowhere"] == "failed")
          #expect(report.count(word) == 1)
        }
      }
    }
  }

  @Test
  func `a digest holds for all databases, and not for schemas`() async throws {
    try await withBundle(Version.first, Version.withAuthor) { folder in
      try await TestServer.withTwoDatabases { first, second in
        try write("\(first)\n\(second)\n", to: "\(folder)/targets.txt")
        let call = ["--models", folder, "--format", "json"]
        let all = ["migrate", "--targets", "\(folder)/targets.txt"] + call
        _ = try await Tool.run(all + ["--to", "1"])
        let plan = try await Tool.run(["plan", "--database", first] + call)
        guard case .string(let digest)? = plan["digest"] else { return }

        let other = try await Tool.run(
          all + ["--require-digest", String(repeating: "0", count: 64)]
        )
        let migration = try await Tool.run(all + ["--require-digest", digest])
        let rerun = try await Tool.run(all + ["--require-digest", digest])
        let schemas = try await Tool.run(
          all + ["--require-digest", digest, "--each-schema", "tenant_*"]
        )

        #expect(other.status == 7)
        #expect(migration.status == 0, "\(migration)")
        #expect(try TargetsDocument(migration.json, of: "migrate").count("migrated") == 2)
        #expect(rerun.status == 0, "\(rerun)")
        #expect(schemas.status == 64)
      }
    }
  }

  @Test
  func `only schemas of the pattern`() async throws {
    try await withBundle(Version.first) { folder in
      try await TestServer.withDatabase { url in
        try await Tenants.create(2, at: url)
        try await execute("CREATE SCHEMA \"Other, one\"", "CREATE SCHEMA shop_eu", at: url)
        let call = ["migrate", "--models", folder, "--database", url, "--format", "json"]

        let none = try await Tool.run(call + ["--each-schema", "client_*"])
        let unnamed = try await Tool.run(call + ["--each-schema", "tenant_*,tenant_7"])
        let system = try await Tool.run(call + ["--each-schema", "pg_*,information_schema"])
        let two = try await Tool.run(
          call + ["--each-schema", "*_1", "--each-schema", "shop_??,x*"]
        )
        let all = try await Tool.run(call + ["--each-schema", "*"])

        #expect(none.status == 64 && unnamed.status == 64 && system.status == 64)
        #expect(none["message"] == "the database has no schema \"client_*\"")
        #expect(unnamed["message"] == "the database has no schema \"tenant_7\"")
        #expect(
          try TargetsDocument(two.json, of: "migrate").outcomes == [
            "tenant_1": "created", "shop_eu": "created",
          ]
        )
        // The metadata is there by now, and is no store.
        #expect(
          try TargetsDocument(all.json, of: "migrate").outcomes == [
            "tenant_1": "unchanged", "shop_eu": "unchanged", "tenant_2": "created",
            "Other, one": "created", "public": "created",
          ]
        )
      }
    }
  }

  @Test
  func `log records have the name of the store`() async throws {
    try await withBundle(Version.first) { folder in
      try await TestServer.withDatabase { url in
        try await Tenants.create(2, at: url)

        let outcome = try await Tool.run(
          "migrate",
          "--models",
          folder,
          "--database",
          url,
          "--each-schema",
          "tenant_*",
          "--log-format",
          "json"
        )

        let lines = outcome.error.split(separator: "\n").filter { $0.contains("step started") }
        #expect(lines.count == 2)
        #expect(lines.first?.contains("\"target\":\"tenant_1\"") == true, "\(lines)")
        #expect(lines.last?.contains("\"target\":\"tenant_2\"") == true)
      }
    }
  }

  @Test(arguments: [
    ["--targets", "x", "--database", "postgresql:///x"], ["--targets", "x", "--scratch"],
    ["--targets", "/nowhere"], ["--targets", "/"], ["--each-schema", "a*", "--keep-scratch"],
    ["--each-schema", ""], ["--each-schema", "a,,b"], ["--each-schema", "a*"],
    ["--each-schema", "a*", "--schema", "b", "--database", "postgresql:///x"],
    ["--parallel", "2", "--scratch"],
    ["--each-schema", "a*", "--parallel", "0", "--database", "postgresql:///x"],
    ["--each-schema", "a*", "--plan", "x", "--database", "postgresql:///x"],
    ["--each-schema", "a*", "--into-schema", "x", "--database", "postgresql:///x"],
  ])
  func `a faulty call ends with 64`(arguments: [String]) async throws {
    try await withBundle(Version.first) { folder in
      let outcome = try await Tool.run(["migrate", "--models", folder] + arguments)

      #expect(outcome.status == 64, "\(outcome)")
    }
  }

  @Test
  func `a faulty file ends with 65 and is not quoted`() async throws {
    try await withBundle(Version.first) { folder in
      try write("\npostgresql://app:sec@ret@h/shop\n", to: "\(folder)/targets.txt")

      let outcome = try await Tool.run(
        "migrate",
        "--models",
        folder,
        "--targets",
        "\(folder)/targets.txt"
      )

      #expect(outcome.status == 65)
      #expect(outcome.error.contains("\(folder)/targets.txt:2: error: "), "\(outcome)")
      #expect(!outcome.error.contains("sec"))
    }
  }
}
