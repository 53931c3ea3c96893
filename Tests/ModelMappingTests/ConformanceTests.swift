import CustomDump
import Diagnostics
import ObjectModel
import TestSupport
import Testing

@testable import ModelMapping

/// The sixteen examples of what Core Data infers, in their order.
@Suite
struct ConformanceTests {
  @Test
  func `1: a wider integer is inferred`() throws {
    let mapping = try CompleteMapping(
      from: Samples.model("A", AttributeDescription(name: "x", type: .integer16)),
      to: Samples.model("A", AttributeDescription(name: "x", type: .integer64))
    )

    let expected = MappingModel(entityMappings: [
      EntityMapping(
        name: "IEM_Transform_A",
        type: .transform,
        sourceEntityName: "A",
        destinationEntityName: "A",
        attributeMappings: [PropertyMapping(name: "x", valueExpression: .sourceAttribute("x"))]
      )
    ])
    #expect(diff(mapping.mappingModel, expected) == nil)
    #expect(mapping.preconditions == [])
    #expect(mapping.warnings == [])
  }

  @Test
  func `2: text does not become a number`() {
    let error = #expect(throws: InferenceError.self) {
      try CompleteMapping(
        from: Samples.model("A", AttributeDescription(name: "x", type: .string)),
        to: Samples.model("A", AttributeDescription(name: "x", type: .integer32))
      )
    }

    #expect(
      error?.obstacles == [
        InferenceObstacle(
          entityName: "A",
          propertyName: "x",
          reason: .incompatibleTypes(before: .string, after: .integer32)
        )
      ]
    )
    #expect(error?.obstacles.first?.coreDataError == 134_190)
  }

  @Test
  func `3 and 4: a required attribute without default asks that there be no rows`() throws {
    let mapping = try CompleteMapping(
      from: Samples.model("A"),
      to: Samples.model("A", AttributeDescription(name: "y", type: .string, isOptional: false))
    )

    let precondition = DataPrecondition(
      entityName: "A",
      memberNames: ["A"],
      requirement: .noRows(requiredProperty: "y")
    )
    #expect(mapping.preconditions == [precondition])
    #expect(precondition.coreDataError == 134_110)
  }

  @Test
  func `5: renaming identifiers keep the first name, so that chains work`() throws {
    let versions = [
      Samples.model("A", AttributeDescription(name: "color", type: .string)),
      Samples.model(
        "A",
        AttributeDescription(name: "paint", type: .string, renamingIdentifier: "color")
      ),
      Samples.model(
        "A",
        AttributeDescription(name: "body", type: .string, renamingIdentifier: "color")
      ),
    ]

    for (source, name) in zip(versions, ["color", "paint"]) {
      let mapping = try CompleteMapping(from: source, to: versions[2])

      #expect(
        mapping.mappingModel.entityMappings.first?.attributeMappings
          == [PropertyMapping(name: "body", valueExpression: .sourceAttribute(name))]
      )
      #expect(mapping.warnings == [])
    }
  }

  @Test
  func `6: an identifier that was the name in between matches nothing`() throws {
    let versions = [
      Samples.model("A", AttributeDescription(name: "color", type: .string)),
      Samples.model(
        "A",
        AttributeDescription(name: "paint", type: .string, renamingIdentifier: "color")
      ),
      Samples.model(
        "A",
        AttributeDescription(name: "body", type: .string, renamingIdentifier: "paint")
      ),
    ]

    let direct = try CompleteMapping(
      from: versions[0],
      to: versions[2],
      earlierVersions: [versions[0], versions[1]]
    )
    #expect(
      direct.mappingModel.entityMappings.first?.attributeMappings == [PropertyMapping(name: "body")]
    )
    let alone = #expect(throws: InferenceError.self) {
      try CompleteMapping(from: versions[0], to: versions[2])
    }
    #expect(
      alone?.obstacles.first?.reason == .danglingIdentifier("paint", probably: nil)
    )
  }

  @Test
  func `7: two hierarchies do not become one`() {
    let error = #expect(throws: InferenceError.self) {
      try CompleteMapping(
        from: ManagedObjectModel(entities: [
          EntityDescription(name: "Snake"), EntityDescription(name: "Mouse"),
        ]),
        to: ManagedObjectModel(entities: [
          EntityDescription(name: "Animal", isAbstract: true),
          EntityDescription(name: "Snake", superentityName: "Animal"),
          EntityDescription(name: "Mouse", superentityName: "Animal"),
        ])
      )
    }

    #expect(
      error?.obstacles.contains(
        InferenceObstacle(
          entityName: "Animal",
          propertyName: nil,
          reason: .mergedHierarchies(
            roots: ["Snake", "Mouse"],
            entities: [
              .init(sourceName: "Snake", destinationName: "Snake"),
              .init(sourceName: "Mouse", destinationName: "Mouse"),
            ]
          )
        )
      ) ?? false
    )
  }

  @Test
  func `8: an entity may move out of a hierarchy`() throws {
    let mapping = try CompleteMapping(
      from: ManagedObjectModel(entities: [
        EntityDescription(name: "Animal"),
        EntityDescription(name: "Snake", superentityName: "Animal"),
      ]),
      to: ManagedObjectModel(entities: [
        EntityDescription(name: "Animal"), EntityDescription(name: "Snake"),
      ])
    )

    #expect(mapping.mappingModel.entityMappings.map(\.sourceEntityName) == ["Animal", "Snake"])
    #expect(mapping.preconditions == [])
  }

  @Test(arguments: [
    Samples.model(
      "A",
      AttributeDescription(name: "x", type: .integer16, defaultValue: .integer(2))
    ),
    ManagedObjectModel(entities: [
      EntityDescription(
        name: "A",
        attributes: [
          AttributeDescription(name: "x", type: .integer16, defaultValue: .integer(1))
        ],
        fetchIndexes: [FetchIndexDescription(name: "i", elements: [.init(propertyName: "x")])]
      )
    ]),
  ])
  func `9 and 10: a default or an index copies`(destination: ManagedObjectModel) throws {
    let source = Samples.model(
      "A",
      AttributeDescription(name: "x", type: .integer16, defaultValue: .integer(1))
    )

    let mapping = try CompleteMapping(from: source, to: destination)

    #expect(mapping.mappingModel.entityMappings.map(\.type) == [.copy])
    #expect(mapping.mappingModel.entityMappings.map(\.name) == ["IEM_Copy_A"])
    #expect(source.versionHashes().checksum == destination.versionHashes().checksum)
    #expect(source.versionHashes().layoutDigest != destination.versionHashes().layoutDigest)
  }

  @Test
  func `11: a hash modifier transforms`() throws {
    var entity = EntityDescription(name: "A")
    let source = ManagedObjectModel(entities: [entity])
    entity.versionHashModifier = "2"

    let mapping = try CompleteMapping(from: source, to: ManagedObjectModel(entities: [entity]))

    #expect(mapping.mappingModel.entityMappings.map(\.type) == [.transform])
  }

  @Test
  func `12: an order may come and go`() throws {
    func model(isOrdered: Bool) -> ManagedObjectModel {
      ManagedObjectModel(entities: [
        EntityDescription(
          name: "A",
          relationships: [
            RelationshipDescription(
              name: "bs",
              destinationEntityName: "B",
              inverseName: "a",
              isToMany: true,
              isOrdered: isOrdered
            )
          ]
        ),
        EntityDescription(
          name: "B",
          relationships: [
            RelationshipDescription(name: "a", destinationEntityName: "A", inverseName: "bs")
          ]
        ),
      ])
    }

    let mapping = try CompleteMapping(from: model(isOrdered: false), to: model(isOrdered: true))

    #expect(mapping.preconditions == [])
    let back = try CompleteMapping(from: model(isOrdered: true), to: model(isOrdered: false))
    #expect(back.preconditions == [])
  }

  @Test
  func `13: uniqueness asks that there be no duplicates`() throws {
    let attribute = AttributeDescription(name: "u", type: .string)

    let mapping = try CompleteMapping(
      from: Samples.model("A", attribute),
      to: Samples.model("A", attribute, uniqueness: [["u"]])
    )

    let precondition = DataPrecondition(
      entityName: "A",
      memberNames: ["A"],
      requirement: .noDuplicates([
        .init(sources: [.init(memberNames: ["A"], property: "u", fill: nil)])
      ])
    )
    #expect(mapping.preconditions == [precondition])
    #expect(precondition.coreDataError == 134_111)
  }

  @Test
  func `14: two attributes change places`() throws {
    let mapping = try CompleteMapping(
      from: Samples.model(
        "A",
        AttributeDescription(name: "x", type: .string),
        AttributeDescription(name: "y", type: .string)
      ),
      to: Samples.model(
        "A",
        AttributeDescription(name: "x", type: .string, renamingIdentifier: "y"),
        AttributeDescription(name: "y", type: .string, renamingIdentifier: "x")
      )
    )

    #expect(
      mapping.mappingModel.entityMappings.first?.attributeMappings == [
        PropertyMapping(name: "x", valueExpression: .sourceAttribute("y")),
        PropertyMapping(name: "y", valueExpression: .sourceAttribute("x")),
      ]
    )
  }

  @Test
  func `15: an attribute keeps its values when it moves up in a hierarchy`() throws {
    let attribute = AttributeDescription(name: "x", type: .string)

    let mapping = try CompleteMapping(
      from: ManagedObjectModel(entities: [
        EntityDescription(name: "P"),
        EntityDescription(name: "A", superentityName: "P", attributes: [attribute]),
      ]),
      to: ManagedObjectModel(entities: [
        EntityDescription(name: "P", attributes: [attribute]),
        EntityDescription(name: "A", superentityName: "P"),
      ])
    )

    let expressions = mapping.mappingModel.entityMappings.map {
      $0.attributeMappings.map(\.valueExpression)
    }
    #expect(expressions == [[nil], [.sourceAttribute("x")]])
  }

  @Test
  func `16: a default fills nulls, so nothing is checked`() throws {
    let mapping = try CompleteMapping(
      from: Samples.model("A", AttributeDescription(name: "x", type: .integer32)),
      to: Samples.model(
        "A",
        AttributeDescription(
          name: "x",
          type: .integer32,
          isOptional: false,
          defaultValue: .integer(0)
        )
      )
    )

    #expect(mapping.preconditions == [])
  }
}
