import ModelLoading
import ObjectModel
import PostgresClient
import RemodelKit
import SQLSyntax
import TestSupport
import Testing

/// What a model has no words for is there after every later migration.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct LeftAloneTests {
  @Test(
    arguments: RandomCases.one(
      in: 2,
      of: [
        "code-and-views", "other-constraints", "partitions-and-inheritance", "partitioned-tables",
        "join-tables",
        "columns-of-their-own-kind", "tables-without-key", "settings-of-tables", "uniqueness",
        "enumerations", "django-tutorial",
      ].map { AdoptedSchema($0) }
    )
  )
  func `a later version drops nothing that is left alone`(
    schema: AdoptedSchema
  ) async throws {
    try await withFolder { folder in
      try await TestServer.withDatabase { url in
        try schema.load(url)
        let remodel = Remodel(RemodelConfiguration(modelsPath: "\(folder)/Adopted.remodel"))
        let report = try await remodel.adoptByWriting(.url(url))
        let model = try remodel.version("1").model
        try write(
          ModelForm.yaml.text(of: model.withAddition, named: "2"),
          to: "\(folder)/Adopted.remodel/2.yaml"
        )
        let before = try inventory(url)

        let script = try await remodel.plan(.url(url)).script
        _ = try await remodel.migrate(.url(url))

        let after = try inventory(url)
        for object in report.unexpressed.compactMap(\.part) where !object.name.isEmpty {
          #expect(!script.contains("DROP \(object.kind.rawValue.uppercased()) \"\(object.name)\""))
        }
        for (name, definition) in before { #expect(after[name] == definition, "\(name)") }
        let additions = Set(after.keys).subtracting(before.keys)
        #expect(additions == Set(report.tables(of: model).map { "column \($0).addition" }))
        #expect(try await remodel.verify(.url(url)).isClean)
      }
    }
  }
}

extension ManagedObjectModel {
  /// The model with an attribute more in each entity.
  fileprivate var withAddition: ManagedObjectModel {
    ManagedObjectModel(
      entities: entities.map {
        var entity = $0
        entity.attributes.append(AttributeDescription(name: "addition", type: .string))
        return entity
      }
    )
  }
}

extension AdoptionReport {
  /// The tables of entities.
  fileprivate func tables(of model: ManagedObjectModel) -> [String] {
    let joins = Set(
      model.entities.flatMap { entity in
        entity.relationships.compactMap { relationship in
          relationship.joinTableName ?? (relationship.isToMany ? "post_tag" : nil)
        }
      }
    )
    return tables.filter { !joins.contains($0) }
  }
}
