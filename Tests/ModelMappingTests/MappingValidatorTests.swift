import Diagnostics
import ModelMapping
import ObjectModel
import Testing

@Suite
struct MappingValidatorTests {
  private static let source = ManagedObjectModel(entities: [
    EntityDescription(
      name: "Book",
      attributes: [AttributeDescription(name: "title", type: .string)],
      relationships: [
        RelationshipDescription(name: "pages", destinationEntityName: "Page", isToMany: true),
        RelationshipDescription(name: "shelf", destinationEntityName: "Page"),
      ]
    ),
    EntityDescription(name: "Page"),
  ])

  private static let destination = ManagedObjectModel(entities: [
    EntityDescription(name: "Thing", isAbstract: true),
    EntityDescription(
      name: "Author",
      superentityName: "Thing",
      attributes: [
        AttributeDescription(name: "name", type: .string),
        AttributeDescription(name: "mood", type: .string, isTransient: true),
        AttributeDescription(name: "sum", type: .integer32, derivationExpression: "books.@count"),
      ],
      relationships: [
        RelationshipDescription(name: "books", destinationEntityName: "Author", isToMany: true)
      ]
    ),
  ])

  private func complaints(_ mapping: EntityMapping) -> [String] {
    complaints(MappingModel(entityMappings: [mapping]))
  }

  private func complaints(_ mappingModel: MappingModel) -> [String] {
    mappingModel.complaints(from: Self.source, to: Self.destination).map {
      let diagnostic = $0.diagnostic(in: mappingModel)
      return diagnostic.message + (diagnostic.hint.map { "; \($0)" } ?? "")
    }
  }

  private func mapping(
    source: String? = "Book",
    destination: String? = "Author",
    condition: Predicate? = nil,
    forEach: String? = nil,
    attributes: [String] = [],
    relationships: [String] = [],
    policy: [SQLMigrationPolicy.Stage: SQLTemplate] = [:],
    dependsOn: [String] = []
  ) -> EntityMapping {
    EntityMapping(
      name: "M",
      type: .transform,
      sourceEntityName: source,
      destinationEntityName: destination,
      condition: condition,
      forEach: forEach,
      attributeMappings: attributes.map { PropertyMapping(name: $0) },
      relationshipMappings: relationships.map { PropertyMapping(name: $0) },
      policy: SQLMigrationPolicy(statements: policy),
      dependsOn: dependsOn
    )
  }

  @Test
  func `a mapping that fits has no complaints`() throws {
    let mapping = mapping(
      condition: .constant(true),
      forEach: "pages",
      attributes: ["name"],
      relationships: ["books"],
      policy: [
        .end: try SQLTemplate(
          parsing: "SELECT ${source.Book.title}, ${destination.Author.name} FROM ${source.Page} "
            + "WHERE ${chunk}"
        )
      ],
      dependsOn: ["Page"]
    )

    #expect(complaints(mapping) == [])
  }

  @Test
  func `entities have to be there`() {
    #expect(
      complaints(mapping(source: "Bok", destination: "Autor", dependsOn: ["Pag"])) == [
        "source of entity mapping \"M\" names entity \"Bok\", which the source does not have; "
          + "Did you mean \"Book\"?",
        "destination of entity mapping \"M\" names entity \"Autor\", which the destination does not "
          + "have; Did you mean \"Author\"?",
        "\"dependsOn\" of entity mapping \"M\" names entity \"Pag\", which the source does not have; "
          + "Did you mean \"Page\"?",
      ]
    )
    #expect(
      complaints(mapping(destination: "Thing")) == [
        "destination of entity mapping \"M\" makes rows of abstract entity \"Thing\"; "
          + "Name one of its subentities."
      ]
    )
  }

  @Test
  func `what is said needs an entity to be said of`() {
    #expect(
      complaints(mapping(source: nil, condition: .constant(true), forEach: "pages")) == [
        "condition of entity mapping \"M\" has no rows to be about: there is no source",
        "\"forEach\" of entity mapping \"M\" has no rows to be about: there is no source",
      ]
    )
    #expect(
      complaints(mapping(source: nil, destination: nil, attributes: ["a"])) == [
        "entity mapping \"M\" has neither a source nor a destination; "
          + "Name a source, a destination, or both.",
        "attribute \"a\" of entity mapping \"M\" has no rows to be about: there is no destination",
      ]
    )
  }

  @Test
  func `properties have to be there, and of their kind`() {
    let found = complaints(
      mapping(attributes: ["nam", "books", "name", "name", "mood", "sum"], relationships: ["x"])
    )

    #expect(
      found == [
        "attribute \"nam\" of entity mapping \"M\" is about \"nam\", which is no attribute of entity "
          + "\"Author\"; Did you mean \"name\"?",
        "attribute \"books\" of entity mapping \"M\" is about \"books\", which is a relationship; "
          + "Put it under \"relationships\".",
        "attribute \"name\" of entity mapping \"M\" is there twice",
        "attribute \"mood\" of entity mapping \"M\" is transient and has no value to be mapped",
        "attribute \"sum\" of entity mapping \"M\" is derived and has no value to be mapped",
        "relationship \"x\" of entity mapping \"M\" is about \"x\", which is no relationship of "
          + "entity \"Author\"",
      ]
    )
  }

  @Test
  func `only a to-many relationship has rows to go over`() {
    #expect(
      complaints(mapping(forEach: "shelf")) == [
        "\"forEach\" of entity mapping \"M\" names \"shelf\", which is not to-many"
      ]
    )
    #expect(complaints(mapping(forEach: "title")).count == 1)
    #expect(
      complaints(mapping(forEach: "page")) == [
        "\"forEach\" of entity mapping \"M\" is about \"page\", which is no relationship of entity "
          + "\"Book\"; Did you mean \"pages\"?"
      ]
    )
  }

  @Test
  func `placeholders name what there is`() throws {
    let model = MappingModel(
      entityMappings: [
        mapping(policy: [.end: try SQLTemplate(parsing: "${destination.Author.nam}")])
      ],
      before: [try SQLTemplate(parsing: "${source.Author} ${chunk}")]
    )

    #expect(
      complaints(model) == [
        "placeholder \"${source.Author}\" in statement 1 of \"before\" names entity \"Author\", "
          + "which the source does not have",
        "placeholder \"${chunk}\" in statement 1 of \"before\" stands for nothing",
        "placeholder \"${destination.Author.nam}\" in stage \"end\" of entity mapping \"M\" names "
          + "\"nam\", which is no property of entity \"Author\"; Did you mean \"name\"?",
      ]
    )
  }

  @Test
  func `names of entity mappings tell them apart`() {
    #expect(
      complaints(MappingModel(entityMappings: [mapping(), mapping()])) == [
        "entity mapping \"M\" is there twice; Give one of them a \"name\" of its own."
      ]
    )
  }

  private func property(_ text: String) throws -> PropertyMapping {
    PropertyMapping(name: "books", valueExpression: .expression(try Expression(parsing: text)))
  }

  @Test(arguments: [
    (
      "FUNCTION($manager, \"destinationInstancesForEntityMappingNamed:sourceInstances:\", \"N\", $source)",
      [
        "relationship \"books\" of entity mapping \"M\" looks up entity mapping \"N\", which does not "
          + "exist; Did you mean \"M\"?"
      ]
    ),
    (
      "FUNCTION($manager, \"destinationInstancesForEntityMappingNamed:sourceInstances:\", \"M\", $source)",
      []
    ),
    ("lookup(\"M\", $source.title)", []),
    (
      "lookup(\"M\", $source.title, 1)",
      [
        "relationship \"books\" of entity mapping \"M\" looks up entity mapping \"M\" by 2 values, and "
          + "it has 1 keys; The keys are those of the mapping's \"distinct\"."
      ]
    ),
    (
      "coalesce(FUNCTION($entityPolicy, \"f:\", 1), 2)",
      [
        "relationship \"books\" of entity mapping \"M\" calls \"f:\" of the policy, which is code that "
          + "is not registered; Write an expression instead, or register the method with the policy in "
          + "Swift."
      ]
    ),
  ])
  func `lookups name mappings that there are`(text: String, expected: [String]) throws {
    var mapping = mapping()
    mapping.distinct = DistinctRows(keys: [try Expression(parsing: "$source.title")])
    mapping.relationshipMappings = [try property(text)]

    #expect(complaints(mapping) == expected)
  }

  @Test
  func `what a policy makes in code is checked`() {
    func creating(_ creation: InstanceCreation, _ mapping: EntityMapping) -> EntityMapping {
      var mapping = mapping
      mapping.instanceCreation = creation
      return mapping
    }
    let part = "policy of entity mapping \"M\""

    #expect(
      complaints(
        creating(InstanceCreation(setting: ["name"], from: ["title", "shelf"]), mapping())
      )
        == []
    )
    #expect(
      complaints(
        creating(
          InstanceCreation(setting: ["mood", "nam", "sum"], from: ["pages", "titel"]),
          mapping(attributes: ["name"])
        )
      ) == [
        "\(part) sets \"mood\", which is no stored attribute of entity \"Author\"",
        "\(part) sets \"nam\", which is no stored attribute of entity \"Author\"; "
          + "Did you mean \"name\"?",
        "\(part) sets \"sum\", which is no stored attribute of entity \"Author\"",
        "\(part) asks for \"pages\", which is neither a stored attribute nor a to-one relationship "
          + "of entity \"Book\"",
        "\(part) asks for \"titel\", which is neither a stored attribute nor a to-one relationship "
          + "of entity \"Book\"; Did you mean \"title\"?",
      ]
    )
    #expect(
      complaints(creating(InstanceCreation(setting: ["name"]), mapping(attributes: ["name"]))) == [
        "\(part) sets \"name\", which the mapping gives a value as well; Leave it out of the "
          + "mapping, or of what the policy sets."
      ]
    )
    #expect(
      complaints(creating(InstanceCreation(setting: []), mapping(source: nil))).map {
        $0.prefix { $0 != ";" }
      } == ["\(part) makes rows in code where none become others"]
    )
    #expect(
      complaints(
        creating(InstanceCreation(setting: [], count: .any), mapping(forEach: "pages"))
      ) == [
        "\(part) decides how many rows there are, as the mapping does; With \"distinct\" or "
          + "\"forEach\" a policy makes one row each."
      ]
    )
  }
}
