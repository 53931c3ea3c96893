import ModelLoading
import ModelMapping
import ObjectModel
import PostgresClient
import RemodelKit
import SQLSyntax
import TestSupport
import Testing

@testable import MigrationPlanning

/// Real mapping models of Xcode's that name policies, carried out with policies in their places.
///
/// They are no part of the repository: skipped where they are absent.
@Suite(
  .tags(.server),
  .enabled(if: TestServer.isAvailable),
  .enabled(if: !Corpora.mappingModels.isEmpty, "there are no real mapping models here"),
  .timeLimit(.minutes(30))
)
struct CorporaPolicyTests {
  /// A mapping model with the versions that it is between.
  private struct Sample {
    let mapping: LoadedMapping
    let bundle: ModelBundle
    let source: ModelVersion
    let destination: ModelVersion
  }

  /// Gives every text that the file says nothing of the name of the entity.
  private struct Labelling: EntityMigrationPolicy {
    let version = "1"
    let model: ManagedObjectModel

    func instanceCreation(for mapping: EntityMapping) throws -> InstanceCreation? {
      InstanceCreation(setting: names(of: mapping))
    }

    func names(of mapping: EntityMapping) -> Set<String> {
      guard let entity = mapping.destinationEntityName.flatMap({ model.entity(named: $0) }) else {
        return []
      }
      let texts = model.effectiveAttributes(of: entity).filter {
        $0.type == .string && !$0.isTransient && $0.derivationExpression == nil
      }
      return Set(texts.map(\.name)).subtracting(mapping.attributeMappings.map(\.name))
    }

    func createDestinationInstances(
      forSource instances: [SourceInstance],
      in mapping: EntityMapping
    ) throws -> [DestinationInstance] {
      try instances.map { source in
        var row = DestinationInstance(of: source)
        for name in source.layout.destination.properties.map(\.name) {
          try row.setText("\(source.layout.source.entityName) \(source.objectID)", forKey: name)
        }
        return row
      }
    }
  }

  @Test(.sampled(oneIn: 3))
  func `real mapping models with policies migrate with policies in Swift`() async throws {
    let samples = try samples()
    #expect(samples.count > 5)
    var labels = 0
    for sample in samples.prefix(6) { labels += try await check(sample) }
    #expect(labels > 50)
  }

  /// Returns those that lack nothing but policies.
  private func samples() throws -> [Sample] {
    var samples: [Sample] = []
    for path in Corpora.mappingModels {
      let mapping = try MappingLoader.load(try #require(MappingFile(path: path)))
      let names = Set(mapping.mappingModel.entityMappings.compactMap(\.policyClassName))
      guard !names.isEmpty, mapping.openHoles(registeredPolicies: names).isEmpty else { continue }
      if let sample = try sample(mapping) { samples.append(sample) }
    }
    return samples
  }

  private func sample(_ mapping: LoadedMapping) throws -> Sample? {
    func repository(_ path: String) -> Substring? {
      path.dropFirst(Corpora.root.count).split(separator: "/").first
    }
    for path in Corpora.bundles where repository(path) == repository(mapping.path) {
      let bundle = try ModelBundle(at: path)
      func model(_ version: ModelVersion) -> ManagedObjectModel? {
        try? bundle.load(version).model
      }
      guard let source = mapping.source.version(among: bundle.versions, model: model),
        let destination = mapping.destination.version(among: bundle.versions, model: model)
      else { continue }
      return Sample(mapping: mapping, bundle: bundle, source: source, destination: destination)
    }
    return nil
  }

  /// Returns how many rows of policies were found.
  private func check(_ sample: Sample) async throws -> Int {
    try await TestServer.withDatabase { url in
      let destination = try sample.bundle.load(sample.destination).model
      let policy = Labelling(model: destination)
      let named = sample.mapping.mappingModel.entityMappings.filter { $0.policyClassName != nil }
      let remodel = Remodel(
        RemodelConfiguration(
          modelsPath: sample.bundle.path,
          mappingsPath: sample.mapping.path,
          strategy: .locked,
          policies: Dictionary(
            named.compactMap { $0.policyClassName.map { ($0, policy) } },
            uniquingKeysWith: { first, _ in first }
          )
        )
      )
      _ = try await remodel.migrate(.url(url), to: sample.source.name)
      let connection = try PostgresConnection(to: .url(url))
      let source = try ModelProjection(
        try sample.bundle.load(sample.source).model,
        schema: "public"
      )
      var filler = RowFiller(source)
      try filler.fill(connection)

      _ = try await remodel.migrate(.url(url), to: sample.destination.name)

      let projection = try ModelProjection(destination, schema: "public")
      var labels = 0
      for mapping in named {
        let entity = try #require(
          mapping.destinationEntityName.flatMap { destination.entity(named: $0) }
        )
        let table = try #require(projection.table(of: entity))
        for name in policy.names(of: mapping) {
          guard case .column(let place) = projection.place(of: name, entity.name) else { continue }
          let label = SQLLiteral.text("\(mapping.sourceEntityName ?? "") %")
          labels +=
            try connection.query(
              """
              SELECT count(*) AS count FROM public.\(table) WHERE \(place.column) LIKE \(label)
              """
            ).first?.integer("count") ?? 0
        }
      }
      return labels
    }
  }
}
