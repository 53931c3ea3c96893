import RemodelKit
import Subprocess
import TestSupport
import Testing

@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct ExampleServerTests {
  private static let versions = ["", ", isbn: string?"].map { attributes in
    """
    remodel: 1
    entities:
      Book: { attributes: { title: string\(attributes) } }
    """
  }

  @Test
  func `replicas that start at once migrate once, and those of the next release replace them`()
    async throws
  {
    try await withBundle([Self.versions[0]]) { release in
      try await withBundle(Self.versions) { nextRelease in
        try await TestServer.withDatabase { url in
          let remodel = Remodel(models: nextRelease)
          let old = try await replicas(of: release, url)
          #expect(try await health(of: old) == ["200", "200"])
          #expect(try await remodel.history(.url(url)).count == 1)

          let new = try await replicas(of: nextRelease, url)
          #expect(try await health(of: new) == ["200", "200"])
          #expect(try await health(of: old) == ["503", "503"])
          #expect(
            try await remodel.history(.url(url)).map(\.outcome) == ["succeeded", "succeeded"]
          )

          for replica in old + new {
            #expect(try await replica.terminate().isSuccess)
          }
        }
      }
    }
  }

  private func replicas(of models: String, _ url: String) async throws -> [Replica] {
    async let first = Replica(models: models, database: url)
    async let second = Replica(models: models, database: url)
    return try await [first, second]
  }

  private func health(of replicas: [Replica]) async throws -> [String] {
    var health: [String] = []
    for replica in replicas { health.append(try await replica.health()) }
    return health
  }
}
