import PostgresClient
import SQLSyntax
import TestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A database that serves versions, with the models that each release has.
struct ServedStage {
  let url: String
  let folder: String

  /// Runs the tool with the models of one release: all versions up to a number.
  func tool(_ release: Int, _ arguments: String...) async throws -> Tool.Outcome {
    try await Tool.run(arguments + ["--models", "\(folder)/\(release)", "--database", url])
  }

  /// The URL that a release uses.
  func url(of release: Int) async throws -> String {
    let outcome = try await tool(release, "interface", "--url")
    #expect(outcome.status == 0, "\(outcome)")
    return outcome.output.filter { !$0.isNewline }
  }

  /// Migrates to the version of a release, beside which the one before stays served.
  @discardableResult
  func migrate(_ release: Int, _ options: String...) async throws -> Tool.Outcome {
    let outcome = try await Tool.run(
      ["migrate", "--keep", "previous", "--models", "\(folder)/\(release)", "--database", url]
        + options
    )
    #expect(outcome.status == 0, "\(outcome)")
    return outcome
  }

  /// Retires a version, with the models of a release.
  func retire(_ version: String, _ release: Int) async throws {
    let outcome = try await tool(release, "retire", version)
    #expect(outcome.status == 0, "\(outcome)")
  }

  func expectClean(_ release: Int) async throws {
    let outcome = try await tool(release, "verify", "--rows")
    #expect(outcome.status == 0, "\(outcome)")
  }

  /// Runs statements as a release does, which looks names up where its URL says.
  func run(_ statements: SQLFragment..., at url: String) throws {
    let connection = try PostgresConnection(to: .url(url))
    for statement in statements { try connection.execute(statement) }
  }

  /// Returns the rows of a query of a release.
  func found(_ query: SQLFragment, at url: String) throws -> [[String?]] {
    try PostgresConnection(to: .url(url)).query(query).rows
  }
}

/// Runs a test with a database at version 1 that serves it.
///
/// - Parameters:
///   - versions: The models in order, as YAML.
///   - mappings: The mapping models by the names of their files, each of which the releases have from the
///     later of its versions on.
///   - body: The test.
/// - Throws: What the test throws.
func withServedStage(
  _ versions: [String],
  mappings: [String: String] = [:],
  _ body: (ServedStage) async throws -> Void
) async throws {
  try await withBundle(versions[0]) { folder in
    for release in versions.indices {
      let bundle = "\(folder)/releases/\(release + 1)/Library.remodel"
      try FileManager.default.createDirectory(atPath: bundle, withIntermediateDirectories: true)
      for number in 0...release {
        try write(versions[number], to: "\(bundle)/\(number + 1).yaml")
      }
      for (name, text) in mappings
      where name.prefix(3).split(separator: "-").allSatisfy({ Int($0) ?? 0 <= release + 1 }) {
        try write(text, to: "\(bundle)/\(name).mapping.yaml")
      }
    }
    try await TestServer.withDatabase { url in
      let stage = ServedStage(url: url, folder: "\(folder)/releases")
      try await stage.migrate(1)
      try await body(stage)
    }
  }
}
