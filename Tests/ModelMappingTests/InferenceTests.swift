import Diagnostics
import ObjectModel
import TestSupport
import Testing

@testable import ModelMapping

@Suite
struct InferenceTests {
  @Test
  func `every refusal is reported, each with its words`() throws {
    let link = RelationshipDescription(name: "link", destinationEntityName: "Other")
    let source = ManagedObjectModel(entities: [
      EntityDescription(
        name: "A",
        attributes: [
          AttributeDescription(name: "text", type: .string),
          AttributeDescription(name: "choice", type: .enumeration(["a"])),
          AttributeDescription(name: "sum", type: .integer32),
          AttributeDescription(name: "title", type: .string),
        ],
        relationships: [
          link, RelationshipDescription(name: "few", destinationEntityName: "Other"),
          RelationshipDescription(name: "up", destinationEntityName: "Root"),
        ]
      ),
      EntityDescription(name: "Other"), EntityDescription(name: "Another"),
      EntityDescription(name: "Root"),
      EntityDescription(
        name: "Leaf",
        superentityName: "Root",
        attributes: [AttributeDescription(name: "moved", type: .string)]
      ),
      EntityDescription(name: "Gone", superentityName: "Root"),
      EntityDescription(name: "Alone"), EntityDescription(name: "First"),
      EntityDescription(name: "Second"),
    ])
    var moved = link
    moved.destinationEntityName = "Another"
    let destination = ManagedObjectModel(entities: [
      EntityDescription(
        name: "A",
        attributes: [
          AttributeDescription(name: "text", type: .integer32),
          AttributeDescription(name: "choice", type: .string),
          // What is computed needs nothing from before, of whatever type that was.
          AttributeDescription(name: "sum", type: .boolean, derivationExpression: "a + b"),
          AttributeDescription(name: "titel", type: .string, renamingIdentifier: "titl"),
          AttributeDescription(name: "far", type: .string, renamingIdentifier: "nothingAlike"),
        ],
        relationships: [
          moved,
          RelationshipDescription(name: "few", destinationEntityName: "Other", isToMany: true),
          RelationshipDescription(name: "up", destinationEntityName: "Twig"),
        ]
      ),
      EntityDescription(name: "Other", key: .uuid), EntityDescription(name: "Another"),
      EntityDescription(
        name: "Root",
        isAbstract: true,
        attributes: [AttributeDescription(name: "moved", type: .string)]
      ),
      EntityDescription(name: "Twig", superentityName: "Root", renamingIdentifier: "Leaf"),
      EntityDescription(name: "Alone"),
      EntityDescription(name: "Sub", superentityName: "Alone"),
      EntityDescription(name: "Parent"),
      EntityDescription(name: "First", superentityName: "Parent"),
      EntityDescription(name: "Second", superentityName: "Parent"),
      EntityDescription(name: "New", renamingIdentifier: "Gon"),
    ])

    let error = #expect(throws: InferenceError.self) {
      try CompleteMapping(from: source, to: destination)
    }

    let words = try #require(error).diagnostics.map(\.description).joined(separator: "\n\n")
    expectGolden(words + "\n", named: "refusals.txt")
  }

  @Test
  func `where no canonical name matches the plain name does, with a warning`() throws {
    let mapping = try CompleteMapping(
      from: Samples.model("A", AttributeDescription(name: "bar", type: .string)),
      to: Samples.model(
        "A",
        AttributeDescription(name: "bar", type: .string, renamingIdentifier: "foo")
      )
    )

    #expect(
      mapping.mappingModel.entityMappings.first?.attributeMappings
        == [PropertyMapping(name: "bar", valueExpression: .sourceAttribute("bar"))]
    )
    #expect(
      mapping.warnings.map(\.description) == [
        """
        WARNING:  attribute "bar" is matched by its name, not by its renaming identifier
        DETAIL:  Nothing in the source has the canonical name "foo".
        """
      ]
    )
  }

  /// Attributes are written as `name` or `name<identifier`, pairs as `destination=source`.
  @Test(arguments: [
    // An identifier of the newer version claims what has its name in the older one.
    (["x"], ["y<x", "x"], "x= y=x", true), (["x"], ["x", "y<x"], "x= y=x", true),
    // What both versions have in the same way stays as it is.
    (["y<x", "x"], ["x", "y<x"], "x=x y=y", false), (["y<x"], ["y<x", "x"], "x= y=y", false),
    (["y<x", "x"], ["z<x", "x"], "x=x z=y", false),
    // An identifier that is given or taken away later moves no values.
    (["y", "x"], ["y<x", "x"], "x=x y=y", false), (["y<x", "x"], ["y", "x"], "x=x y=y", false),
    // What has a name keeps it where the part with the identifier is removed.
    (["y<x", "x"], ["x"], "x=x", false), (["y<x", "x"], ["y<x"], "y=y", false),
    (["y<x"], ["x"], "x=y", false),
  ])
  func `an identifier that is the name of a sibling loses nothing`(
    before: [String],
    after: [String],
    expected: String,
    isClaimed: Bool
  ) throws {
    let mapping = try CompleteMapping(from: Self.model(before), to: Self.model(after))

    #expect(Self.pairs(mapping) == expected)
    #expect(mapping.warnings.contains { $0.message.contains("of the source, by") } == isClaimed)
    guard isClaimed else { return }
    // What an identifier claimed has its name again on the way back.
    let back = try CompleteMapping(from: Self.model(after), to: Self.model(before), isReturn: true)
    #expect(Self.pairs(back) == "x=y")
  }

  private static func model(_ attributes: [String]) -> ManagedObjectModel {
    ManagedObjectModel(entities: [
      EntityDescription(
        name: "A",
        attributes: attributes.map { text in
          let parts = text.split(separator: "<").map(String.init)
          return AttributeDescription(
            name: parts[0],
            type: .string,
            renamingIdentifier: parts.count > 1 ? parts[1] : nil
          )
        }
      )
    ])
  }

  private static func pairs(_ mapping: CompleteMapping) -> String {
    let mappings = mapping.mappingModel.entityMappings.first?.attributeMappings ?? []
    let attributes = mappings.map { mapping -> String in
      guard case .sourceAttribute(let name) = mapping.valueExpression else {
        return "\(mapping.name)="
      }
      return "\(mapping.name)=\(name)"
    }
    return attributes.sorted().joined(separator: " ")
  }

  @Test
  func `an attribute that went and one like it that came are probably one`() throws {
    let mapping = try CompleteMapping(
      from: Samples.model("A", AttributeDescription(name: "colour", type: .string)),
      to: Samples.model("A", AttributeDescription(name: "color", type: .string))
    )

    #expect(
      mapping.warnings.map(\.description) == [
        """
        WARNING:  attribute "color" of entity "A" is probably "colour" renamed
        DETAIL:  Without a renaming identifier one is removed and the other added.
        HINT:  If it was renamed, set its renaming identifier to "colour".
        """
      ]
    )
  }

  private func attributes(_ attributes: AttributeDescription...) -> ManagedObjectModel {
    ManagedObjectModel(entities: [EntityDescription(name: "A", attributes: attributes)])
  }

  @Test
  func `a replacement of a required property is reported, even with another type`() throws {
    let stock = AttributeDescription(name: "stock", type: .integer16, isOptional: false)
    let onHand = AttributeDescription(
      name: "onHand",
      type: .integer32,
      isOptional: false,
      defaultValue: .integer(0)
    )
    let mapping = try CompleteMapping(from: attributes(stock), to: attributes(onHand))

    #expect(
      mapping.warnings.map(\.description) == [
        """
        WARNING:  attribute "onHand" of entity "A" is probably "stock" renamed and of another type
        DETAIL:  Without a renaming identifier one is removed and the other added: no row keeps its value.
        HINT:  If it was renamed, set its renaming identifier to "stock".
        """
      ]
    )
    let author = ManagedObjectModel(entities: [
      EntityDescription(
        name: "A",
        relationships: [RelationshipDescription(name: "maker", destinationEntityName: "A")]
      )
    ])
    let replaced = try CompleteMapping(from: attributes(stock), to: author)
    #expect(
      replaced.warnings.map(\.message) == [
        "relationship \"maker\" of entity \"A\" probably takes the place of attribute \"stock\""
      ]
    )
  }

  @Test
  func `equally unlikely candidates are not reported, nor properties that a mapping reads`() throws
  {
    func text(_ name: String) -> AttributeDescription {
      AttributeDescription(name: name, type: .string)
    }
    let several = try CompleteMapping(
      from: attributes(text("a")),
      to: attributes(text("b"), text("c"), text("d"))
    )
    #expect(several.warnings == [])

    let authored = MappingModel(entityMappings: [
      EntityMapping(
        name: "AToA",
        type: .transform,
        sourceEntityName: "A",
        destinationEntityName: "A",
        attributeMappings: [
          PropertyMapping(
            name: "kept",
            valueExpression: .expression(try Expression(parsing: "uppercase:($source.old)"))
          )
        ]
      )
    ])
    let read = try CompleteMapping(
      completing: authored,
      from: attributes(text("kept"), text("old")),
      to: attributes(text("kept"), text("new"))
    )
    #expect(read.warnings == [])
  }

  @Test
  func `an attribute moves up and gets another name`() throws {
    func model(
      _ above: [AttributeDescription],
      _ below: [AttributeDescription]
    ) -> ManagedObjectModel {
      ManagedObjectModel(entities: [
        EntityDescription(name: "A", attributes: above),
        EntityDescription(name: "B", superentityName: "A", attributes: below),
      ])
    }
    let mapping = try CompleteMapping(
      from: model([], [AttributeDescription(name: "title", type: .string)]),
      to: model(
        [AttributeDescription(name: "name", type: .string, renamingIdentifier: "title")],
        []
      )
    )

    let below = mapping.mappingModel.entityMappings.first { $0.destinationEntityName == "B" }
    #expect(
      below?.attributeMappings
        == [PropertyMapping(name: "name", valueExpression: .sourceAttribute("title"))]
    )
  }

  @Test
  func `an identifier that an earlier version had is out of use`() throws {
    let earlier = ManagedObjectModel(entities: [
      EntityDescription(
        name: "A",
        attributes: [AttributeDescription(name: "old", type: .string)]
      ), EntityDescription(name: "Old"),
    ])

    let mapping = try CompleteMapping(
      from: Samples.model("A"),
      to: ManagedObjectModel(entities: [
        EntityDescription(
          name: "A",
          attributes: [
            AttributeDescription(name: "new", type: .string, renamingIdentifier: "old")
          ]
        ), EntityDescription(name: "New", renamingIdentifier: "Old"),
      ]),
      earlierVersions: [earlier]
    )

    #expect(mapping.mappingModel.entityMappings.map(\.name) == ["IEM_Transform_A", "IEM_Add_New"])
  }

  @Test
  func `uniqueness that was there asks again where nulls are filled`() throws {
    let before = AttributeDescription(name: "x", type: .integer16)
    let after = AttributeDescription(
      name: "x",
      type: .integer32,
      isOptional: false,
      defaultValue: .integer(0)
    )

    let mapping = try CompleteMapping(
      from: Samples.model("A", before, uniqueness: [["x"]]),
      to: Samples.model("A", after, uniqueness: [["x"]])
    )
    let kept = try CompleteMapping(
      from: Samples.model("A", before, uniqueness: [["x"]]),
      to: Samples.model("A", before, uniqueness: [["x"]])
    )

    #expect(
      mapping.preconditions == [
        DataPrecondition(
          entityName: "A",
          memberNames: ["A"],
          requirement: .noDuplicates([
            .init(sources: [.init(memberNames: ["A"], property: "x", fill: .integer(0))])
          ])
        )
      ]
    )
    #expect(kept.preconditions == [])
  }

  @Test
  func `a new unique attribute with a default allows one row`() throws {
    let mapping = try CompleteMapping(
      from: Samples.model("A"),
      to: Samples.model(
        "A",
        AttributeDescription(name: "x", type: .integer16, defaultValue: .integer(1)),
        uniqueness: [["x"]]
      )
    )

    #expect(
      mapping.preconditions == [
        DataPrecondition(
          entityName: "A",
          memberNames: ["A"],
          requirement: .noDuplicates([
            .init(sources: [.init(memberNames: ["A"], property: nil, fill: .integer(1))])
          ])
        )
      ]
    )
  }

  @Test
  func `an expression reads as Core Data writes it`() {
    #expect(
      ValueExpression.sourceAttribute("old").description
        == "FUNCTION($source, \"valueForKey:\", \"old\")"
    )
    #expect(
      ValueExpression.destinationInstances(sourceRelationship: "r").description
        == "FUNCTION($manager, \"destinationInstancesForSourceRelationshipNamed:sourceInstances:\", "
        + "\"r\", FUNCTION($source, \"valueForKey:\", \"r\"))"
    )
  }
}
