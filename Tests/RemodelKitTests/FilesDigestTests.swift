import ModelLoading
import PostgresClient
import TestSupport
import Testing

@testable import MigrationExecution
@testable import RemodelKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// When the files of a store that has nothing to do are parsed.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(10)))
struct FilesDigestTests {
  private static let first = """
    remodel: 1
    entities:
      Book: { attributes: { title: string } }

    """
  private static let second = """
    remodel: 1
    entities:
      Book: { attributes: { title: string, pages: integer32? } }

    """
  /// What no reader takes.
  private static let broken = "remodel: [\n"

  private func write(_ text: String, _ name: String, _ bundle: String) throws {
    try text.write(toFile: "\(bundle)/\(name).yaml", atomically: true, encoding: .utf8)
  }

  private func digest(_ url: String) throws -> String? {
    try PostgresConnection(to: .url(url)).query("SELECT files_digest FROM remodel.store").value
  }

  /// Gives the store the digest of the files as they are now, whatever they say.
  private func forge(_ remodel: Remodel, _ url: String) throws {
    let catalog = try VersionCatalog(remodel.configuration)
    let files = try #require(catalog.filesDigest)
    let connection = try PostgresConnection(to: .url(url))
    guard case .store(let record) = try MetadataStore(catalog.store).presence(connection) else {
      Issue.record("there is no store")
      return
    }
    try connection.query(
      "UPDATE remodel.store SET files_digest = $1",
      [files.text(at: record.identity)]
    )
  }

  private func withStore(
    _ versions: [String] = [first],
    _ body: (_ remodel: Remodel, _ bundle: String, _ url: String) async throws -> Void
  ) async throws {
    try await withBundle(versions) { bundle in
      try await TestServer.withDatabase { url in
        let remodel = Remodel(RemodelConfiguration(modelsPath: bundle))
        _ = try await remodel.migrate(.url(url))
        try await body(remodel, bundle, url)
      }
    }
  }

  @Test
  func `files whose bytes are known are not parsed`() async throws {
    try await withStore { remodel, bundle, url in
      try write(Self.broken, "1", bundle)
      await #expect(throws: ModelLoadingError.self) { try await remodel.migrate(.url(url)) }
      await #expect(throws: ModelLoadingError.self) { try await remodel.check(.url(url)) }

      try forge(remodel, url)

      let report = try await remodel.migrate(.url(url))
      #expect(report.outcome == .unchanged)
      #expect(report.source == report.target)
      #expect(report.target.name == "1")
      #expect(try await remodel.check(.url(url)).isCurrent)
      // Whoever names a version, or approves a plan, has the files read.
      await #expect(throws: ModelLoadingError.self) {
        try await remodel.migrate(.url(url), to: "1")
      }
    }
  }

  @Test
  func `other bytes of the same model are parsed once`() async throws {
    try await withStore { remodel, bundle, url in
      let before = try digest(url)
      try write("# The same.\n" + Self.first, "1", bundle)

      #expect(try await remodel.check(.url(url)).isCurrent)
      #expect(try digest(url) == before)
      #expect(try await remodel.migrate(.url(url)).outcome == .unchanged)

      let after = try digest(url)
      #expect(before != nil && after != nil && before != after)
      #expect(try await remodel.migrate(.url(url)).outcome == .unchanged)
      #expect(try digest(url) == after)
    }
  }

  @Test(arguments: [nil, "", "f00"])
  func `a store without a true digest is looked at, and gets one`(text: String?) async throws {
    try await withStore { remodel, _, url in
      let before = try digest(url)
      try PostgresConnection(to: .url(url))
        .query("UPDATE remodel.store SET files_digest = $1", [text])

      #expect(try await remodel.check(.url(url)).isCurrent)
      #expect(try await remodel.migrate(.url(url)).outcome == .unchanged)

      #expect(try digest(url) == before)
    }
  }

  @Test
  func `a new version is found whatever is known of the one before`() async throws {
    try await withStore { remodel, bundle, url in
      try write(Self.second, "2", bundle)

      #expect(try await !remodel.check(.url(url)).isCurrent)
      #expect(try await remodel.migrate(.url(url)).outcome == .migrated)

      #expect(try await remodel.check(.url(url)).version?.name == "2")
    }
  }

  @Test
  func `the digest of a version counts for no other one`() async throws {
    try await withStore { remodel, bundle, url in
      try write(Self.second, "2", bundle)
      _ = try await remodel.migrate(.url(url))
      let digest = try digest(url)
      _ = try await remodel.revert(.url(url))
      #expect(try self.digest(url) == digest)

      #expect(try await !remodel.check(.url(url)).isCurrent)
      await #expect(throws: RemodelError.self) { try await remodel.migrate(.url(url)) }
    }
  }

  @Test
  func `a file is parsed for another configuration or schema`() async throws {
    try await withStore { remodel, bundle, url in
      let connection = try PostgresConnection(to: .url(url))
      var other = remodel.configuration
      other.schema = "other"
      _ = try await Remodel(other).migrate(.url(url))
      let digests = try connection.query("SELECT DISTINCT files_digest FROM remodel.store")
      #expect(digests.rows.count == 2)
    }
  }

  @Test
  func `versions that lead apart are found though the current one is known`() async throws {
    let base = Self.first
    try await withBundle([base]) { bundle in
      try await TestServer.withDatabase { url in
        let remodel = Remodel(RemodelConfiguration(modelsPath: bundle))
        let hashes = try ModelLoader.load("\(bundle)/1.yaml").model.versionHashes()
        let made = VersionBase(hashes)
        try write(YAMLBases.text(Self.second, madeFrom: [made]) ?? "", "3", bundle)
        _ = try await remodel.migrate(.url(url))
        #expect(try await remodel.check(.url(url)).isCurrent)

        let fork = Self.second.replacing("pages", with: "isbn")
        try write(YAMLBases.text(fork, madeFrom: [made]) ?? "", "2", bundle)

        await #expect(throws: RemodelError.self) { try await remodel.migrate(.url(url)) }
        await #expect(throws: RemodelError.self) { try await remodel.check(.url(url)) }
      }
    }
  }

  @Test
  func `what warns is parsed each time`() async throws {
    let text =
      Self.first + "  Page: { attributes: { number: integer16 }, renamingIdentifier: Leaf }\n"
    try await withStore([text]) { remodel, _, url in
      let report = try await remodel.migrate(.url(url))

      #expect(report.outcome == .unchanged)
      #expect(try (digest(url) == nil) == !report.warnings.isEmpty)
    }
  }

  @Test
  func `a role that may only read migrates nothing, without an error`() async throws {
    try await withStore { remodel, _, url in
      try PostgresConnection(to: .url(url)).execute("UPDATE remodel.store SET files_digest = NULL")
      try await withRole("files_reader", at: url) { _, login in
        let report = try await remodel.migrate(.url(login))

        #expect(report.outcome == .unchanged)
        #expect(try digest(url) == nil)
      }
    }
  }

  @Test
  func `metadata of the layout before is read, and gets the digest with the next version`()
    async throws
  {
    try await withStore { remodel, bundle, url in
      let connection = try PostgresConnection(to: .url(url))
      try connection.execute(
        """
        ALTER TABLE remodel.store DROP COLUMN files_digest;
        UPDATE remodel.metadata SET layout_version = 9
        """
      )
      #expect(try await remodel.migrate(.url(url)).outcome == .unchanged)
      #expect(try await remodel.check(.url(url)).isCurrent)
      try write(Self.second, "2", bundle)

      #expect(try await remodel.migrate(.url(url)).outcome == .migrated)

      #expect(try digest(url) != nil)
    }
  }
}
