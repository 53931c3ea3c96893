import TestSupport
import Testing

@testable import RemodelCommands

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The scripts by which a build is reproducible and identifiable.
@Suite(.timeLimit(.minutes(30)))
struct BuildScriptTests {
  private static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

  private static func resolved(_ version: String) -> String {
    """
    { "pins" : [ {
      "identity" : "other",
      "location" : "https://example.org/other.git",
      "state" : { "revision" : "0123", "version" : "9.9.9" }
    }, {
      "identity" : "swift-log",
      "kind" : "remoteSourceControl",
      "location" : "https://example.org/swift-log",
      "state" : {
        "revision" : "abcdef",
        "version" : "\(version)"
      }
    } ] }
    """
  }

  /// Gives a folder with a manifest and resolved versions to a function.
  private func withFolder(_ version: String, _ body: (String) async throws -> Void) async throws {
    try await withBundle(Version.first) { folder in
      try Self.resolved(version)
        .write(toFile: "\(folder)/Package.resolved", atomically: true, encoding: .utf8)
      try """
      dependencies: [
        .package(url: "https://example.org/swift-log", from: "1.2.3"),
      ]
      """
      .write(toFile: "\(folder)/Package.swift", atomically: true, encoding: .utf8)
      try await body(folder)
    }
  }

  @Test(arguments: [("1.2.3", 0), ("1.2.4", 1)])
  func `the least version that is allowed is the one that was tested`(
    version: String,
    status: Int
  ) async throws {
    try await withFolder(version) { folder in
      let outcome = try await Tool.shell(
        "exec '\(Self.root)/.ci/check-versions' '\(folder)/Package.swift'",
        [:]
      )

      #expect(outcome.status.map(Int.init) == status, "\(outcome)")
      #expect(outcome.error.contains("1.2.4 was tested") == (status == 1))
    }
  }

  @Test
  func `a bill of materials names every package, and is the same for the same image`() async throws
  {
    try await withFolder("1.2.3") { folder in
      let call = """
        printf 'libpq5\\t15.20-0+deb12u1\\tamd64\\nlibstdc++6\\t12\\tamd64\\nlibstdc++6\\t12\\ti386\\n' |
          SOURCE_DATE_EPOCH=0 '\(Self.root)/docker/bill-of-materials' remodel '\(folder)/Package.resolved'
        """
      let first = try await Tool.shell(call, [:])
      let second = try await Tool.shell(call, [:])

      #expect(first.status == 0, "\(first)")
      #expect(first.output == second.output)
      let document = try #require(first.json)
      guard case .object(let fields) = document, case .array(let packages)? = fields["packages"]
      else {
        Issue.record("no packages: \(first.output)")
        return
      }
      let identifiers = packages.compactMap { package -> JSONValue? in
        guard case .object(let fields) = package else { return nil }
        return fields["SPDXID"]
      }
      #expect(Set(identifiers).count == 1 + 2 + 3)
      #expect(fields["spdxVersion"] == "SPDX-2.3")
      #expect(first.output.contains("pkg:swift/example.org/swift-log@1.2.3"))
      #expect(first.output.contains("pkg:deb/debian/libpq5@15.20-0%2Bdeb12u1?arch=amd64"))
    }
  }
}
