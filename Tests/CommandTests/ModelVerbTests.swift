import TestSupport
import Testing

@testable import RemodelCommands

@Suite(.timeLimit(.minutes(30)))
struct ModelVerbTests {
  @Test(arguments: [
    ["model", "list"], ["model", "show"], ["model", "hash", "1"], ["model", "validate"],
    ["model", "diagram"], ["model", "diff", "1"], ["model", "diff", "--from", "1", "--to", "2"],
    ["mapping", "infer", "1", "2"], ["plan", "--from", "1"],
  ])
  func `a report is for people, or JSON`(words: [String]) async throws {
    try await withBundle(Version.first, Version.withAuthor) { folder in
      let arguments = words + ["--models", "."]
      let name = words.joined(separator: "-")

      let text = try await Tool.run(arguments, in: folder)
      let json = try await Tool.run(arguments + ["--format", "json"], in: folder)

      #expect(text.status == 0)
      #expect(text.error.isEmpty)
      #expect(json.status == 0)
      #expect(json["formatVersion"] == 1)
      expectGolden(text.output, named: "\(name).txt")
      expectGolden(json.output, named: "\(name).json")
    }
  }

  @Test
  func `what cannot be inferred ends with 3 and every reason`() async throws {
    try await withBundle(Version.first, Version.datePages) { folder in
      let text = try await Tool.run("mapping", "infer", "1", "2", "--models", ".", in: folder)
      let json = try await Tool.run(
        "mapping",
        "infer",
        "1",
        "2",
        "--models",
        ".",
        "--format",
        "json",
        in: folder
      )

      #expect(text.status == 3)
      #expect(json.status == 3)
      #expect(json["code"] == 3)
      expectGolden(text.error, named: "no-mapping.txt")
      expectGolden(json.output, named: "no-mapping.json")
    }
  }

  @Test
  func `a faulty file ends with 65 and every complaint at its place`() async throws {
    let faulty = """
      remodel: 1
      entities:
        Book:
          attributes: { title: strin, pages: intger32 }
      """
    try await withBundle(faulty) { folder in
      let text = try await Tool.run("model", "validate", "--models", ".", in: folder)
      let json = try await Tool.run(
        "model",
        "validate",
        "--models",
        ".",
        "--format",
        "json",
        in: folder
      )

      #expect(text.status == 65)
      #expect(json.status == 65)
      expectGolden(text.error, named: "faulty-file.txt")
      expectGolden(json.output, named: "faulty-file.json")
    }
  }

  @Test
  func `the list leaves invalid versions out, and says why`() async throws {
    try await withBundle(Version.first, "remodel: 1\nentities: { Book: 5 }", Version.withAuthor) {
      folder in
      let call = ["--models", "\(folder)/Library.remodel"]

      let list = try await expect(0, ["model", "list"] + call)

      #expect(list.output.split(separator: "\n").count == 2, "\(list)")
      #expect(list.error.contains("2.yaml:2:"), "\(list)")
      try await expect(65, ["model", "validate"] + call)
      try await expect(0, ["plan", "--from", "1", "--direct"] + call)
      try await expect(65, ["plan", "--from", "1"] + call)
      let strict = try await expect(
        0,
        ["model", "validate", "--strict"] + ["--models", "\(folder)/Library.remodel/1.yaml"]
      )
      #expect(strict.output == "valid\n")
    }
  }

  @Test
  func `a version that is not there ends with 64`() async throws {
    try await withBundle(Version.first) { folder in
      let outcome = try await Tool.run("model", "show", "9", "--models", ".", in: folder)

      #expect(outcome.status == 64)
      #expect(outcome.error.contains("\"9\""))
    }
  }

  @Test
  func `the extension of a file decides on the form`() async throws {
    try await withBundle(Version.first, Version.withAuthor) { folder in
      let json = try await Tool.run(
        "plan",
        "--from",
        "1",
        "--models",
        ".",
        "--output",
        "plan.json",
        in: folder
      )
      let sql = try await Tool.run(
        "plan",
        "--from",
        "1",
        "--models",
        ".",
        "--output",
        "plan.sql",
        in: folder
      )
      let files = try await Tool.shell("cd '\(folder)' && head -c 1 plan.json && cat plan.sql")

      #expect(json.status == 0)
      #expect(json.output.isEmpty)
      #expect(sql.status == 0)
      #expect(files.output.hasPrefix("{"))
      #expect(files.output.contains("CREATE TABLE"))
    }
  }

  @Test
  func `a plan with something to do is a difference`() async throws {
    try await withBundle(Version.first, Version.withAuthor) { folder in
      let different = try await Tool.run(
        "plan",
        "--from",
        "1",
        "--exit-code",
        "--models",
        folder
      )
      let same = try await Tool.run("plan", "--from", "2", "--exit-code", "--models", folder)

      #expect(different.status == 2)
      #expect(same.status == 0)
    }
  }

  @Test
  func `denied hazards and refused removals end with 7`() async throws {
    try await withBundle(Version.first, Version.withoutPages) { folder in
      let call = ["plan", "--from", "1", "--models", folder, "--removals"]

      let denied = try await Tool.run(call + ["drop", "--deny", "deletes-data"])
      let deniedThere = try await Tool.run(call + ["drop", "--deny", "deletes-data:Book.pages"])
      let noEntity = try await Tool.run(call + ["drop", "--deny", "deletes-data:Bok"])
      let refused = try await Tool.run(call + ["refuse"])

      #expect(denied.status == 7)
      #expect(deniedThere.status == 7)
      #expect(noEntity.status == 64)
      #expect(noEntity.error.contains("Did you mean \"Book\"?"))
      #expect(refused.status == 7)
    }
  }
}
