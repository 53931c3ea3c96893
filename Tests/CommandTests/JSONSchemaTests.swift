import SQLSyntax
import TestSupport
import Testing

@testable import RemodelCommands

@Suite(.timeLimit(.minutes(30)))
struct JSONSchemaTests {
  @Test
  func `the check finds what is wrong`() throws {
    let schema = try JSONSchema(named: "check")

    #expect(schema.complaints(about: ["formatVersion": 1]).count == 10)
    #expect(
      schema.complaints(
        about: [
          "formatVersion": 2, "current": "yes", "behind": false, "unfinished": false,
          "served": false,
          "version": nil, "checksum": nil,
          "creation": nil, "job": nil, "target": "1", "targetChecksum": "v1:0", "more": 1,
        ]
      ).count == 4
    )
  }

  @Test(arguments: [
    ["model", "list"], ["model", "show"], ["model", "hash"], ["model", "validate"],
    ["model", "diff", "1"], ["model", "diagram"], ["mapping", "infer", "1"],
    ["mapping", "new", "1"],
    ["mapping", "validate"], ["mapping", "show", "1"],
    ["plan", "--from", "1"],
  ])
  func `reports of models`(words: [String]) async throws {
    try await withBundle(Version.first, Version.requiredPages) { folder in
      let outcome = try await Tool.run(words + ["--models", folder, "--format", "json"])

      let name = words[0] == "plan" ? "plan" : words.prefix(2).joined(separator: "-")
      try expect(outcome, toBe: name)
    }
  }

  @Test
  func `reports of conversions`() async throws {
    try await withBundle(Version.first, Version.requiredPages) { folder in
      let path = "\(folder)/Library.xcdatamodeld"
      let outcome = try await Tool.run(
        ["model", "convert", path, "--models", "\(folder)/Library.remodel", "--format", "json"]
      )

      try expect(outcome, toBe: "model-convert")
    }
  }

  @Test
  func `errors`() async throws {
    try await withBundle(Version.first, Version.datePages) { folder in
      let call = ["--models", folder, "--format", "json"]

      try expect(await Tool.run(["mapping", "infer", "1"] + call), toBe: "error")
      try expect(await Tool.run(["model", "show", "9"] + call), toBe: "error")
      try expect(await Tool.run(["nothing"] + call), toBe: "error")
      try expect(await Tool.run(["migrate"] + call), toBe: "error")
    }
  }

  @Test(.tags(.server), .enabled(if: TestServer.isAvailable))
  func `reports of databases`() async throws {
    try await withBundle(Version.first, Version.withoutPages, Version.requiredPages) { folder in
      try await TestServer.withDatabase { url in
        let call = ["--models", folder, "--database", url, "--format", "json"]

        for verb in ["status", "check", "history", "plan"] {
          try expect(await Tool.run([verb] + call), toBe: verb)
        }
        for version in ["1", "2"] {
          try expect(await Tool.run(["migrate", "--to", version] + call), toBe: "migrate")
        }
        try await execute("INSERT INTO public.book (title) VALUES ('a')", at: url)
        for verb in ["status", "check", "history", "plan"] {
          try expect(await Tool.run([verb] + call), toBe: verb)
        }
        let preview = ["mapping", "preview", "--entity", "Book"]
        try expect(await Tool.run(preview + call), toBe: "mapping-preview")
        try expect(await Tool.run(["finish"] + call), toBe: "finish")
        let failure = try await Tool.run(["migrate"] + call)
        #expect(failure.status == 9)
        try expect(failure, toBe: "error")
      }
    }
  }
}
