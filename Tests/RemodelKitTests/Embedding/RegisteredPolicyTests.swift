import ModelMapping
import PostgresClient
import RemodelKit
import TestSupport
import Testing

/// A policy in code that a program registers with the front door.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct RegisteredPolicyTests {
  /// Counts the letters.
  private struct RomanPages: EntityMigrationPolicy {
    let version = "1"

    func instanceCreation(for mapping: EntityMapping) throws -> InstanceCreation? {
      InstanceCreation(setting: ["pages"], from: ["pages"])
    }

    func createDestinationInstances(
      forSource instances: [SourceInstance],
      in mapping: EntityMapping
    ) throws -> [DestinationInstance] {
      try instances.map { source in
        var preface = DestinationInstance(of: source)
        let pages = try source.string(forKey: "pages")?.count ?? 0
        try preface.setValue(.integer(Int64(pages)), forKey: "pages")
        return preface
      }
    }
  }

  private static let versions = ["string?", "integer32?"].map { type in
    """
    remodel: 1
    entities:
      Preface: { attributes: { pages: \(type) } }
    """
  }

  private static let mapping = """
    remodelMapping: 1
    source: "1"
    destination: "2"
    entities:
      - { source: Preface, destination: Preface, policy: RomanPages }
    """

  @Test
  func `rows pass through it`() async throws {
    try await withBundle(Self.versions, mappings: ["1-2": Self.mapping]) { models in
      try await TestServer.withDatabase { url in
        let remodel = Remodel(models: models, policies: ["RomanPages": RomanPages()])
        _ = try await remodel.migrate(.url(url), to: "1")
        let connection = try PostgresConnection(to: .url(url))
        try connection.execute("INSERT INTO public.preface (pages) VALUES ('III')")

        _ = try await remodel.migrate(.url(url))

        #expect(try connection.query("SELECT pages FROM public.preface").value == "3")
      }
    }
  }
}
