import ModelLoading
import PostgresClient
import RemodelKit
import TestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Bundles of several modules that have their tables in one database.
@Suite
struct MergedBundleTests {
  private func entity(_ name: String, _ attributes: String) -> String {
    "remodel: 1\nentities:\n  \(name): { attributes: { \(attributes) } }\n"
  }

  /// Gives bundles in folders of their own to a function.
  private func withBundles(
    _ bundles: [String: [String: String]],
    _ body: ([String: ModelBundle]) async throws -> Void
  ) async throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "bundles-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    var found: [String: ModelBundle] = [:]
    for (name, files) in bundles {
      let path = folder.appending(path: "\(name)/\(name).remodel")
      try FileManager.default.createDirectory(at: path, withIntermediateDirectories: true)
      for (file, text) in files {
        let name = file == "versions" ? file : "\(file).yaml"
        try Data(text.utf8).write(to: path.appending(path: name))
      }
      found[name] = try ModelBundle(at: path.path)
    }
    try await body(found)
  }

  private let mapping = """
    remodelMapping: 1
    source: "1"
    destination: "3"
    entities:
      - source: User
        destination: User
        attributes: { initial: "uppercase(substring($source.name, 0, 1))" }
    """

  private var modules: [String: [String: String]] {
    [
      "Shop": [
        "1": entity("Book", "title: string"),
        "2": entity("Book", "title: string, isbn: string?"),
      ],
      "Accounts": [
        "1": entity("User", "name: string"),
        "3": entity("User", "name: string, initial: string"),
        "1-3.mapping": mapping,
      ],
    ]
  }

  @Test(.tags(.server), .enabled(if: TestServer.isAvailable))
  func `a database of several bundles migrates over the versions of all of them`() async throws {
    try await withBundles(modules) { bundles in
      let shop = try #require(bundles["Shop"]).path
      let accounts = try #require(bundles["Accounts"]).path
      let bundle = try ModelBundle(
        name: "App",
        merging: [ModelBundle(at: shop), ModelBundle(at: accounts)]
      )
      let remodel = Remodel(models: bundle)
      #expect(bundle.versions.map(\.name) == ["1", "2", "3"])
      #expect(try remodel.validate().isEmpty)
      try await TestServer.withDatabase { url in
        _ = try await remodel.migrate(.url(url), to: "1")
        let connection = try PostgresConnection(to: .url(url))
        try connection.execute("INSERT INTO public.\"user\" (name) VALUES ('jane')")

        let report = try await remodel.migrate(.url(url))

        #expect(report.target.name == "3")
        #expect(try connection.query("SELECT initial FROM public.\"user\"").value == "J")
        #expect(try connection.query("SELECT isbn FROM public.book").isEmpty)
        #expect(try await remodel.verify(.url(url), asksRows: true).isClean)
      }
    }
  }

  @Test
  func `a mapping model is between the last version without the change and the one with it`()
    async throws
  {
    try await withBundles(modules) { bundles in
      let bundle = try ModelBundle(
        name: "App",
        merging: [#require(bundles["Shop"]), #require(bundles["Accounts"])]
      )
      let remodel = Remodel(models: bundle)

      #expect(try remodel.completeMapping(from: "2").authored.map(\.name) == ["UserToUser"])
      #expect(try remodel.completeMapping(from: "1", to: "2").authored == [])
    }
  }

  @Test
  func `a bundle that came later has no part in versions before it`() async throws {
    var modules = modules
    modules["Accounts"] = ["2": entity("User", "name: string")]
    try await withBundles(modules) { bundles in
      let bundle = try ModelBundle(
        name: "App",
        merging: [#require(bundles["Shop"]), #require(bundles["Accounts"])]
      )

      let models = try bundle.versions.map { try bundle.load($0).model.entities.map(\.name) }

      #expect(models == [["Book"], ["Book", "User"]])
    }
  }

  @Test
  func `an entity that bundles have in common is there once if it is the same`() async throws {
    let modules = [
      "Shop": ["1": entity("User", "name: string")],
      "Accounts": ["1": entity("User", "name: string")],
      "Others": ["1": entity("User", "name: string?")],
    ]
    try await withBundles(modules) { bundles in
      let shop = try #require(bundles["Shop"])
      let same = try ModelBundle(name: "App", merging: [shop, #require(bundles["Accounts"])])
      let other = try #require(bundles["Others"])
      let conflicting = try ModelBundle(name: "App", merging: [shop, other])

      #expect(try same.load(same.currentVersion).model.entities.map(\.name) == ["User"])
      let error = #expect(throws: ModelLoadingError.self) {
        try conflicting.load(conflicting.currentVersion)
      }
      #expect(
        error?.description == """
          ERROR:  entity "User" is not the same in all models that are merged
          DETAIL:  It is in "\(shop.versions[0].path)" and in "\(other.versions[0].path)".
          HINT:  Have it in one of them, or under another name, or the same in both.
          """
      )
    }
  }

  @Test
  func `bundles whose names of versions tell no order cannot be merged`() async throws {
    var modules = modules
    modules["Shop"]?["versions"] = "2\n1\n"
    try await withBundles(modules) { bundles in
      let shop = try #require(bundles["Shop"])

      let error = #expect(throws: ModelLoadingError.self) {
        try ModelBundle(name: "App", merging: [shop])
      }

      #expect(
        error?.diagnostics.first?.message == "model \"\(shop.path)\" cannot be merged with others"
      )
    }
  }
}
