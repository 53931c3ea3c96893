import CustomDump
import Diagnostics
import ObjectModel
import TestSupport
import Testing

@Suite
struct ArchiveTests {
  @Test
  func `a model is decoded from its archive unchanged`() throws {
    let text = try ModelArchive.text(of: Samples.library)

    #expect(try diff(ModelArchive.model(from: text), Samples.library) == nil)
    #expect(try ModelArchive.text(of: ModelArchive.model(from: text)) == text)
  }

  @Test
  func `every part of a model is in its archive`() throws {
    let full = ManagedObjectModel(
      entities: [
        EntityDescription(
          name: "A",
          superentityName: "B",
          isAbstract: true,
          renamingIdentifier: "old",
          versionHashModifier: "2",
          attributes: [
            AttributeDescription(
              name: "x",
              type: .array(.numeric(precision: 4, scale: 1)),
              isOptional: false,
              isTransient: true,
              defaultValue: .date(0.5),
              validation: AttributeValidation(
                minimum: "0",
                maximum: "9",
                minimumLength: 1,
                maximumLength: 2,
                pattern: ".*",
                isEnforced: true
              ),
              derivationExpression: "now()",
              renamingIdentifier: "y",
              versionHashModifier: "3",
              columnName: "c",
              isIndexed: true,
              valueTransformerName: "T",
              userInfo: ["k": "v"],
              foreign: ForeignContent(attributes: ["a": "b"], elements: [.init(name: "e")])
            )
          ],
          relationships: [
            RelationshipDescription(
              name: "r",
              destinationEntityName: "B",
              inverseName: "s",
              isToMany: true,
              minimumCount: 1,
              maximumCount: 3,
              isOrdered: true,
              isOptional: false,
              isTransient: true,
              deleteRule: .deny,
              renamingIdentifier: "q",
              versionHashModifier: "4",
              columnName: "c",
              joinTableName: "j",
              userInfo: ["k": "v"]
            )
          ],
          fetchedProperties: [
            FetchedPropertyDescription(
              name: "f",
              fetchRequest: FetchRequestTemplate(name: "f", entityName: "B", predicate: "x > 1")
            )
          ],
          uniquenessConstraints: [["x"]],
          fetchIndexes: [
            FetchIndexDescription(
              name: "i",
              elements: [.init(expression: "lower(x)", kind: .rTree, isAscending: false)],
              partialPredicate: "x > 1"
            )
          ],
          compoundIndexes: [["x", "y"]],
          tableName: "t",
          key: .uuid,
          storage: ["fillfactor": "80"],
          partitioning: .init(
            .range(attribute: "x", every: .time(1, .month)),
            ahead: 5,
            retention: .time(2, .year)
          ),
          distribution: .rows(by: "x", colocateWith: "A"),
          className: "C",
          userInfo: ["k": "v"]
        )
      ],
      configurations: [ModelConfiguration(name: "Default", entityNames: ["A"])],
      fetchRequests: [FetchRequestTemplate(name: "all", entityName: "A", options: ["limit": "1"])],
      versionIdentifier: "1.0",
      foreign: ForeignContent(attributes: ["tool": "x"]),
      layout: LayoutDescription(
        constraints: .immediate,
        indexNames: .model,
        distribution: .schema
      )
    )

    #expect(try diff(ModelArchive.model(from: ModelArchive.text(of: full)), full) == nil)
  }

  @Test
  func `settings that differ from the rules are decoded from an archive unchanged`() throws {
    let text = try ModelArchive.text(of: Samples.adopted)

    #expect(try diff(ModelArchive.model(from: text), Samples.adopted) == nil)
  }

  @Test
  func `an archive of before says nothing of what there was not`() throws {
    let text = """
      {"entities":[{"name":"A","key":"uuid","fetchIndexes":[{"name":"i","elements":[]}]},\
      {"name":"B"}]}
      """

    let model = try ModelArchive.model(from: text)

    #expect(model.entities[0].key == .uuid)
    #expect(model.entities[1].key == .bigint)
    #expect(try ModelArchive.text(of: model).contains(#""key":"uuid""#))
    #expect(!(try ModelArchive.text(of: model).contains("isUnique")))
  }

  @Test
  func `random models come out of their archives as they went in`() throws {
    for seed in 1...50 {
      var generator = ModelGenerator(seed: UInt64(seed))
      let plain = generator.model()
      let model = generator.distributed(plain)

      let copy = try ModelArchive.model(from: ModelArchive.text(of: model))

      #expect(copy == model, "seed \(seed)")
      #expect(copy.versionHashes() == model.versionHashes(), "seed \(seed)")
    }
  }

  @Test(.sampled(oneIn: 3))
  func `random models are valid`() {
    for seed in 1...200 {
      var generator = ModelGenerator(seed: UInt64(seed))
      var model = generator.model()
      for _ in 0..<3 {
        let errors = model.complaints().filter { $0.severity == .error }
        #expect(errors.isEmpty, "seed \(seed)")
        model = generator.randomEdit(of: model)
      }
    }
  }
}
