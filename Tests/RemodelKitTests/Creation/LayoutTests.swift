import ModelLoading
import ObjectModel
import PostgresClient
import RemodelKit
import SQLSyntax
import TestSupport
import Testing

@testable import MigrationPlanning

/// What a model says of the layout of all tables is what a store has, however it came there.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct LayoutTests {
  private static let entities = """
    entities:
      Person:
        attributes: { name: string, email: string? }
        relationships:
          parent: { to: Person? }
          groups: { toMany: Group, inverse: members }
        indexes:
          liveEmail: { elements: [email], where: "email != nil" }
          person_name_idx: [name, email]
          byName: [name]
      Group:
        attributes: { title: string }
        relationships:
          members: { toMany: Person, inverse: groups }
          leader: { to: Person, reference: { deferrable: deferred } }
        indexes:
          byName: [title]
          person: [title, leader]
        names: { group_leader_idx: leading }

    """

  private static func model(_ layout: String) -> String {
    "remodel: 1\n\(layout.isEmpty ? "" : "layout: { \(layout) }\n")" + entities
  }

  private static let layouts = [
    "", "constraints: immediate", "indexNames: model",
    "constraints: immediate, indexNames: model", "",
  ]

  @Test
  func `a migrated store is laid out as a new one`() async throws {
    try await withBundle(Self.layouts.map(Self.model)) { bundle in
      let remodel = Remodel(RemodelConfiguration(modelsPath: bundle))
      try await TestServer.withDatabase { url in
        for (index, layout) in Self.layouts.enumerated() {
          let version = "\(index + 1)"
          if index > 0 {
            let plan = try await remodel.plan(.url(url), to: version).plan
            let statements = plan.steps.flatMap(\.statements)
            #expect(
              statements.allSatisfy {
                $0.sql.text.contains("ALTER CONSTRAINT") || $0.sql.text.contains("ALTER INDEX")
              },
              "\(statements.map(\.sql.text))"
            )
            #expect(statements.allSatisfy { $0.impact.scans.isEmpty && $0.impact.rewrites.isEmpty })
          }
          _ = try await remodel.migrate(.url(url), to: version)
          let verification = try await remodel.verify(.url(url))
          #expect(verification.isClean)
          let migrated = try CatalogSnapshot(of: "public", on: PostgresConnection(to: .url(url)))
          try await TestServer.withDatabase { other in
            _ = try await remodel.migrate(.url(other), to: version)
            let fresh = try CatalogSnapshot(of: "public", on: PostgresConnection(to: .url(other)))
            #expect(fresh.difference(to: migrated).isEmpty, "\(fresh.difference(to: migrated))")
          }
          let connection = try PostgresConnection(to: .url(url))
          let keys = try connection.query(
            """
            SELECT count(*) FILTER (WHERE condeferrable AND conname <> 'group_leader_fkey') AS free
            FROM pg_constraint WHERE contype IN ('f', 'u')
            """
          )
          #expect((keys.first?["free"] == "0") == layout.contains("immediate"))
        }
      }
    }
  }

  @Test
  func `an edit of the layout alone is no other version`() async throws {
    let before = try Self.load("")
    let after = try Self.load("constraints: immediate")
    #expect(before.versionHashes().checksum == after.versionHashes().checksum)
    #expect(before.versionHashes().layoutDigest != after.versionHashes().layoutDigest)
    #expect(before.versionHashes() == ManagedObjectModel(entities: before.entities).versionHashes())
    try await withBundle([Self.model("")]) { bundle in
      let remodel = Remodel(RemodelConfiguration(modelsPath: bundle))
      try await TestServer.withDatabase { url in
        _ = try await remodel.migrate(.url(url))
        try await withBundle([Self.model("constraints: immediate")]) { edited in
          let remodel = Remodel(RemodelConfiguration(modelsPath: edited))
          _ = try await remodel.migrate(.url(url))
          #expect(try await remodel.verify(.url(url)).isClean)
          let again = try await remodel.plan(.url(url)).plan
          #expect(again.steps.isEmpty)
        }
      }
    }
  }

  @Test
  func `names that cannot be given give way, and are told`() throws {
    let projection = try ModelProjection(Self.load("indexNames: model"), schema: "public")
    let entities: [SQLIdentifier] = ["group", "person"]
    let names = entities.compactMap { projection.schema.tables[$0]?.indexes.map(\.name.name) }
    #expect(
      names.map { $0.sorted() } == [
        ["group_title_idx", "group_title_leader_idx", "leading"],
        ["liveEmail", "person_name_idx", "person_name_idx1", "person_parent_idx"],
      ]
    )
    let told = projection.concessions.map(\.diagnostic.message).sorted()
    let twice = "index \"byName\" is called after its table and columns"
    #expect(told == [twice, twice, "index \"person\" is called after its table and columns"])
    let usual = try ModelProjection(Self.load(""), schema: "public")
    #expect(usual.concessions.isEmpty)
  }

  @Test
  func `no index takes the name of a key, a constraint or a sequence`() throws {
    let text = """
      remodel: 1
      layout: { indexNames: model }
      entities:
        Group:
          attributes: { title: string, size: integer32 }
          indexes: { person_pkey: [title], person_name_key: [size], person__id_seq: [title, size], own: [size, title] }
        Person:
          attributes: { name: string }
          unique: [[name]]
      """
    let model = try ModelLoader.load(yaml: Array(text.utf8), path: "1.yaml").model

    let projection = try ModelProjection(model, schema: "public")

    let person = try #require(projection.schema.tables["person"])
    #expect(
      person.constraints.filter(\.hasIndex).map(\.name) == ["person_pkey", "person_name_key"]
    )
    #expect(person.columns.compactMap(\.identitySequence) == ["person__id_seq"])
    let indexes = projection.schema.tables["group"]?.indexes.map(\.name.name).sorted()
    #expect(
      indexes == ["group_size_idx", "group_title_idx", "group_title_size_idx", "own"]
    )
    let told = projection.concessions.map(\.diagnostic.message).sorted()
    #expect(
      told
        == ["person__id_seq", "person_name_key", "person_pkey"].map {
          "index \"\($0)\" is called after its table and columns"
        }
    )
  }

  @Test(arguments: layouts)
  func `files of both forms keep the layout`(layout: String) throws {
    let model = try Self.load(layout)
    let xml = Array(try ModelForm.xcode.text(of: model, named: "M").utf8)
    let yaml = Array(try ModelForm.yaml.text(of: model, named: "M").utf8)
    #expect(try ModelLoader.load(xml: xml, path: "contents").model.layout == model.layout)
    #expect(try ModelLoader.load(yaml: yaml, path: "1.yaml").model.layout == model.layout)
  }

  private static func load(_ layout: String) throws -> ManagedObjectModel {
    try ModelLoader.load(yaml: Array(model(layout).utf8), path: "1.yaml").model
  }
}
