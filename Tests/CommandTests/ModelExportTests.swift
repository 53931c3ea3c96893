import SQLSyntax
import TestSupport
import Testing

@testable import RemodelCommands

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct ModelExportTests {
  @Test(arguments: ["yaml", "xcode"])
  func `versions are written back as they were recorded`(form: String) async throws {
    try await withMigrated { folder, call, url in
      let output = "\(folder)/out"
      let export = try await Tool.run(
        ["model", "export", "--output", output, "--format", form] + call
      )
      let hashes = try await rows(
        of: "SELECT version_name, checksum, layout_digest FROM remodel.model_version ORDER BY 1",
        at: url
      )

      #expect(export.status == 0, "\(export)")
      for row in hashes {
        let hash = try await Tool.run(
          ["model", "hash", row[0] ?? "", "--models", output, "--format", "json"]
        )
        #expect(hash["checksum"] == row[1].map { .string($0) }, "\(hash)")
        #expect(hash["layoutDigest"] == row[2].map { .string($0) }, "\(hash)")
      }
      let check = try await Tool.run(["check", "--models", output, "--database", url])
      #expect(check.status == 0, "\(check)")
      let again = try await Tool.run(
        ["model", "export", "--output", output, "--format", form] + call
      )
      #expect(again.status == 0, "\(again)")
      #expect(again.output.hasPrefix("nothing to write"), "\(again)")
    }
  }

  @Test
  func `missing files are written into the bundle, and existing ones stay`() async throws {
    try await withMigrated { folder, call, _ in
      let bundle = "\(folder)/Library.remodel"
      try FileManager.default.removeItem(atPath: "\(bundle)/1.yaml")
      // The same model in other words.
      let second = "# ours\n" + Version.withAuthor
      try write(second, to: "\(bundle)/2.yaml")

      let export = try await Tool.run(["model", "export", "--format", "json"] + call)

      #expect(export.status == 0, "\(export)")
      try expect(export, toBe: "model-export")
      #expect(export["files"] == .array([.string("\(bundle)/1.yaml")]))
      #expect(try String(contentsOfFile: "\(bundle)/2.yaml", encoding: .utf8) == second)
    }
  }

  @Test
  func `a file that says something else is left alone, and nothing is written`() async throws {
    try await withMigrated { folder, call, _ in
      let bundle = "\(folder)/Library.remodel"
      try FileManager.default.removeItem(atPath: "\(bundle)/1.yaml")
      try write(Version.withBlurb, to: "\(bundle)/2.yaml")

      let export = try await Tool.run(["model", "export"] + call)

      #expect(export.status == 64, "\(export)")
      #expect(export.error.contains("\(bundle)/2.yaml"))
      #expect(!FileManager.default.fileExists(atPath: "\(bundle)/1.yaml"))
      let one = try await Tool.run(["model", "export", "--version", "1"] + call)
      #expect(one.status == 0, "\(one)")
      #expect(FileManager.default.fileExists(atPath: "\(bundle)/1.yaml"))
    }
  }

  @Test
  func `a missing bundle is written again, with an order that its names do not give`() async throws
  {
    try await withBundle() { folder in
      for (name, version) in [("b", Version.first), ("a", Version.withAuthor)] {
        try write(version, to: "\(folder)/Library.remodel/\(name).yaml")
      }
      try write("b\na\n", to: "\(folder)/Library.remodel/versions")
      try await TestServer.withDatabase { url in
        let call = ["--models", folder, "--database", url]
        for version in ["b", "a"] { _ = try await Tool.run(["migrate", "--to", version] + call) }
        try FileManager.default.removeItem(atPath: "\(folder)/Library.remodel")

        let xcode = try await Tool.run(["model", "export", "--format", "xcode"] + call)
        let export = try await Tool.run(["model", "export"] + call)

        #expect(xcode.status == 65, "\(xcode)")
        #expect(export.status == 0, "\(export)")
        let order = try String(
          contentsOfFile: "\(folder)/Library.remodel/versions",
          encoding: .utf8
        )
        #expect(order == "b\na\n")
        #expect(try await Tool.run(["check"] + call).status == 0)
      }
    }
  }

  @Test
  func `no version, no store, no database`() async throws {
    try await withMigrated { folder, call, url in
      let version = try await Tool.run(["model", "export", "--version", "9"] + call)
      let schema = try await Tool.run(["model", "export", "--schema", "other"] + call)
      let database = try await Tool.run(["model", "export", "--models", folder])
      let form = try await Tool.run(
        ["model", "export", "--format", "xcode", "--output", "\(folder)/x.remodel"] + call
      )

      #expect(version.status == 64, "\(version)")
      #expect(schema.status == 4, "\(schema)")
      #expect(database.status == 64, "\(database)")
      #expect(form.status == 64, "\(form)")
    }
  }

  private func withMigrated(
    _ body: (_ folder: String, _ call: [String], _ url: String) async throws -> Void
  ) async throws {
    try await withBundle(Version.first, Version.withAuthor) { folder in
      try await TestServer.withDatabase { url in
        let call = ["--models", folder, "--database", url]
        for version in ["1", "2"] { _ = try await Tool.run(["migrate", "--to", version] + call) }
        try await body(folder, call, url)
      }
    }
  }
}
