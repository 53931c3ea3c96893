import TestSupport
import Testing

@testable import RemodelKit

/// A read of a store is only valid if no other migrator has changed the store meanwhile.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct SettledLookTests {
  private struct Spoiled: Error {}

  @Test(arguments: [true, false])
  func `what fails while another migrator moves the store is tried again`(
    isMoved: Bool
  ) async throws {
    try await withBundle(["remodel: 1\nentities:\n  Book: { attributes: { title: string } }\n"]) {
      bundle in
      try await TestServer.withDatabase { url in
        let configuration = RemodelConfiguration(modelsPath: bundle)
        _ = try await Remodel(configuration).migrate(.url(url))
        let catalog = try VersionCatalog(configuration)

        for look in [lookAtView, lookAtMetadata] {
          if isMoved {
            #expect(try look(catalog, url, true) == 2)
          } else {
            #expect(throws: Spoiled.self) { try look(catalog, url, false) }
          }
        }
      }
    }
  }

  /// Fails at the first look, and returns which one was the last.
  private func lookAtView(_ catalog: VersionCatalog, _ url: String, _ isMoved: Bool) throws -> Int {
    let connection = try PostgresConnection.session(to: .url(url))
    var count = 0
    return try DatabaseView.settled(catalog, connection) { _, _ in
      count += 1
      try spoil(count, url, isMoved)
      return count
    }
  }

  private func lookAtMetadata(
    _ catalog: VersionCatalog,
    _ url: String,
    _ isMoved: Bool
  ) throws -> Int {
    let connection = try PostgresConnection.session(to: .url(url))
    var count = 0
    return try MetadataStore(catalog.store).settled(connection) { _, _ in
      count += 1
      try spoil(count, url, isMoved)
      return count
    }
  }

  private func spoil(_ count: Int, _ url: String, _ isMoved: Bool) throws {
    guard count == 1 || !isMoved else { return }
    if isMoved {
      let other = try PostgresConnection(to: .url(url))
      try other.execute("UPDATE remodel.store SET layout_rules = layout_rules - 1")
    }
    throw Spoiled()
  }
}
