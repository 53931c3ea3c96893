import Diagnostics
import ObjectModel
import Testing

@Suite
struct ValidationTests {
  /// A model that has one fault, and what is said about it.
  struct Case: CustomTestStringConvertible {
    let message: String
    let model: ManagedObjectModel

    init(_ message: String, _ entities: [EntityDescription]) {
      self.init(message, ManagedObjectModel(entities: entities))
    }

    init(_ message: String, _ model: ManagedObjectModel) {
      self.message = message
      self.model = model
    }

    var testDescription: String { message }
  }

  @Test(arguments: names + hierarchies + storage + attributes + relationships + lists)
  func `a fault is told`(_ testCase: Case) {
    let messages = testCase.model.complaints().map { $0.diagnostic(in: testCase.model).message }

    #expect(messages == [testCase.message])
  }

  // MARK: - Cases

  private static let long = String(repeating: "n", count: 64)

  static let names = [
    Case("entity \"\" has no name", [EntityDescription(name: "")]),
    Case("entity \"A\" is defined twice", [EntityDescription(name: "A"), .init(name: "A")]),
    Case(
      "entity \"B\" is matched as \"A\" between versions, and so is \"A\"",
      [.init(name: "A"), .init(name: "B", renamingIdentifier: "A")]
    ),
    Case(
      "attribute \"_id\" of entity \"A\" has a reserved name",
      [.init(name: "A", attributes: [.init(name: "_id", type: .string)])]
    ),
    Case(
      "attribute \"x\" of entity \"A\" is defined twice",
      [
        .init(
          name: "A",
          attributes: [.init(name: "x", type: .string), .init(name: "x", type: .date)]
        )
      ]
    ),
    Case(
      "attribute \"y\" of entity \"A\" is matched as \"x\" between versions, and so is \"x\"",
      [
        .init(
          name: "A",
          attributes: [
            .init(name: "x", type: .string),
            .init(name: "y", type: .string, renamingIdentifier: "x"),
          ]
        )
      ]
    ),
    Case(
      "name \"\(long)\" of the column of attribute \"x\" of entity \"A\" is too long",
      [.init(name: "A", attributes: [.init(name: "x", type: .string, columnName: long)])]
    ),
    Case("name of the table of entity \"A\" is empty", [.init(name: "A", tableName: "")]),
    Case("entity \"a\0\" has a name with a NUL character", [.init(name: "a\0")]),
  ]

  static let hierarchies = [
    Case("parent \"B\" of entity \"A\" does not exist", [.init(name: "A", superentityName: "B")]),
    Case("entity \"A\" inherits from itself", [.init(name: "A", superentityName: "A")]),
    Case(
      "entity \"A\" inherits from itself",
      [
        .init(name: "C", superentityName: "A"), .init(name: "A", superentityName: "B"),
        .init(name: "B", superentityName: "A"),
      ]
    ),
    Case(
      "attribute \"x\" of entity \"B\" has the name of a property that it inherits from entity \"A\"",
      [
        .init(name: "A", attributes: [.init(name: "x", type: .string)]),
        .init(name: "B", superentityName: "A", attributes: [.init(name: "x", type: .string)]),
      ]
    ),
    Case(
      "entity \"B\" cannot have a table of its own",
      [.init(name: "A"), .init(name: "B", superentityName: "A", tableName: "b")]
    ),
    Case(
      "entity \"B\" cannot have a key of its own",
      [.init(name: "A"), .init(name: "B", superentityName: "A", key: .uuid)]
    ),
  ]

  static let storage = [
    Case(
      "key of entity \"A\" cannot be of type json",
      [.init(name: "A", key: KeyDescription(.other(.json)))]
    ),
    Case(
      "values of entity \"A\" come from a sequence, but are of type string",
      [.init(name: "A", key: KeyDescription(.other(.string), generation: .serial))]
    ),
    Case(
      "generated of entity \"A\" is empty",
      [.init(name: "A", key: KeyDescription(.uuid, generation: .sql(" ")))]
    ),
    Case(
      "name \"\(long)\" of the column of entity \"A\" is too long",
      [.init(name: "A", key: KeyDescription(.uuid, columnName: long))]
    ),
    Case(
      "entity \"A\" gives the name \"a\" to two things",
      [.init(name: "A", objectNames: ["a_pkey": "a", "a__id_seq": "a"])]
    ),
    Case(
      "name that entity \"A\" gives to \"a_pkey\" is empty",
      [.init(name: "A", objectNames: ["a_pkey": ""])]
    ),
    Case(
      "entity \"A\" has two checks called \"c\"",
      [
        .init(
          name: "A",
          checks: [.init(name: "c", expression: "true"), .init(name: "c", expression: "1 = 1")]
        )
      ]
    ),
    attribute(
      "attribute \"x\" of entity \"A\" has both default and defaultSQL",
      AttributeDescription(
        name: "x",
        type: .integer16,
        defaultValue: .integer(1),
        defaultExpression: "1"
      )
    ),
    attribute(
      "attribute \"x\" of entity \"A\" is an identity column and optional",
      AttributeDescription(name: "x", type: .integer16, numbering: .identity)
    ),
    attribute(
      "attribute \"x\" of entity \"A\" cannot have generatedSQL",
      AttributeDescription(
        name: "x",
        type: .integer16,
        isTransient: true,
        generationExpression: "1"
      )
    ),
    Case(
      "attribute \"x\" of entity \"B\" cannot have numbered",
      [
        .init(name: "A"),
        .init(
          name: "B",
          superentityName: "A",
          attributes: [.init(name: "x", type: .integer16, numbering: .serial)]
        ),
      ]
    ),
    Case(
      "relationship \"bs\" of entity \"A\" has a reference, but no foreign key",
      [
        .init(
          name: "A",
          relationships: [
            .init(
              name: "bs",
              destinationEntityName: "B",
              inverseName: "a",
              isToMany: true,
              reference: ReferenceDescription(onDelete: .restrict)
            )
          ]
        ),
        .init(
          name: "B",
          relationships: [.init(name: "a", destinationEntityName: "A", inverseName: "bs")]
        ),
      ]
    ),
    Case(
      "index \"i\" of entity \"A\" has both sql and where",
      [
        .init(
          name: "A",
          fetchIndexes: [
            .init(name: "i", elements: [], partialPredicate: "x > 1", definition: "(x)")
          ]
        )
      ]
    ),
  ]

  private static func attribute(_ message: String, _ attribute: AttributeDescription) -> Case {
    Case(message, [.init(name: "A", attributes: [attribute])])
  }

  static let attributes = [
    attribute(
      "attribute \"x\" of entity \"A\" has no type",
      AttributeDescription(name: "x", type: .undefined)
    ),
    attribute(
      "composite \"C\", the type of attribute \"x\" of entity \"A\", does not exist",
      AttributeDescription(name: "x", type: .composite("C"))
    ),
    attribute(
      "default value \"1\" of attribute \"x\" of entity \"A\" is not of type integer16",
      AttributeDescription(name: "x", type: .integer16, defaultValue: .string("1"))
    ),
    attribute(
      "default value \"abc\" of attribute \"x\" of entity \"A\" is not of type varchar(2)",
      AttributeDescription(name: "x", type: .varchar(2), defaultValue: .string("abc"))
    ),
    attribute(
      "default value of attribute \"x\" of entity \"A\" has a NUL character",
      AttributeDescription(name: "x", type: .string, defaultValue: .string("\0"))
    ),
    attribute(
      "minimum 2 of attribute \"x\" of entity \"A\" is greater than its maximum 1",
      AttributeDescription(
        name: "x",
        type: .integer16,
        validation: AttributeValidation(minimum: "2", maximum: "1")
      )
    ),
    Case(
      "composite \"B\" contains itself",
      ManagedObjectModel(
        entities: [],
        composites: [
          .init(name: "A", elements: [.init(name: "b", type: .composite("B"))]),
          .init(
            name: "B",
            elements: [
              .init(name: "l", type: .composite("L")), .init(name: "b", type: .composite("B")),
            ]
          ),
          .init(name: "L", elements: [.init(name: "x", type: .string)]),
        ]
      )
    ),
  ]

  private static func relationship(
    _ message: String,
    _ relationship: RelationshipDescription,
    and others: RelationshipDescription...
  ) -> Case {
    Case(
      message,
      [.init(name: "A", relationships: [relationship]), .init(name: "B", relationships: others)]
    )
  }

  static let relationships = [
    relationship(
      "destination \"Z\" of relationship \"r\" of entity \"A\" does not exist",
      RelationshipDescription(name: "r", destinationEntityName: "Z", inverseName: "x")
    ),
    relationship(
      "inverse \"x\" of relationship \"r\" of entity \"A\" is no relationship of entity \"B\"",
      RelationshipDescription(name: "r", destinationEntityName: "B", inverseName: "x")
    ),
    relationship(
      "inverse \"x\" of relationship \"r\" of entity \"A\" does not point back",
      RelationshipDescription(name: "r", destinationEntityName: "B", inverseName: "x"),
      and: RelationshipDescription(name: "x", destinationEntityName: "A")
    ),
    relationship(
      "inverse \"x\" of relationship \"r\" of entity \"A\" leads to another entity",
      RelationshipDescription(name: "r", destinationEntityName: "B", inverseName: "x"),
      and: RelationshipDescription(name: "x", destinationEntityName: "B", inverseName: "r"),
      RelationshipDescription(name: "r", destinationEntityName: "B", inverseName: "x")
    ),
    relationship(
      "relationship \"r\" of entity \"A\" is ordered but not to-many",
      RelationshipDescription(name: "r", destinationEntityName: "B", isOrdered: true)
    ),
    relationship(
      "relationship \"r\" of entity \"A\" has a maximum of 2 but is not to-many",
      RelationshipDescription(name: "r", destinationEntityName: "B", maximumCount: 2)
    ),
    relationship(
      "minimum 3 of relationship \"r\" of entity \"A\" is greater than its maximum 2",
      RelationshipDescription(
        name: "r",
        destinationEntityName: "B",
        isToMany: true,
        minimumCount: 3,
        maximumCount: 2
      )
    ),
  ]

  static let lists = [
    Case(
      "uniqueness constraint 1 of entity \"A\" lists \"x\", which is no property of entity \"A\"",
      [.init(name: "A", uniquenessConstraints: [["x"]])]
    ),
    Case(
      "uniqueness constraint 1 of entity \"A\" lists nothing",
      [.init(name: "A", uniquenessConstraints: [[]])]
    ),
    Case(
      "compound index 1 of entity \"A\" lists property \"x\" twice",
      [
        .init(
          name: "A",
          attributes: [.init(name: "x", type: .string)],
          compoundIndexes: [["x", "x"]]
        )
      ]
    ),
    Case(
      "index \"i\" of entity \"A\" lists \"x\", which has no column",
      [
        .init(
          name: "A",
          attributes: [.init(name: "x", type: .string, isTransient: true)],
          fetchIndexes: [.init(name: "i", elements: [.init(propertyName: "x")])]
        )
      ]
    ),
    Case(
      "configuration \"C\" names entity \"Z\", which does not exist",
      ManagedObjectModel(
        entities: [.init(name: "A")],
        configurations: [ModelConfiguration(name: "C", entityNames: ["A", "Z"])]
      )
    ),
  ]

  // MARK: - What is allowed

  @Test
  func `siblings may share a property name`() {
    let model = ManagedObjectModel(entities: [
      .init(name: "A"),
      .init(name: "B", superentityName: "A", attributes: [.init(name: "x", type: .string)]),
      .init(name: "C", superentityName: "A", attributes: [.init(name: "x", type: .date)]),
    ])

    #expect(model.complaints().isEmpty)
  }

  @Test
  func `constraints may name inherited attributes and to-one relationships`() {
    let model = ManagedObjectModel(entities: [
      .init(
        name: "A",
        attributes: [.init(name: "x", type: .string)],
        relationships: [.init(name: "r", destinationEntityName: "A")]
      ),
      .init(name: "B", superentityName: "A", uniquenessConstraints: [["x", "r"]]),
    ])

    #expect(model.complaints().isEmpty)
  }

  @Test
  func `a minimum on an optional relationship is an old editor's habit`() {
    let relationship = RelationshipDescription(
      name: "r",
      destinationEntityName: "A",
      minimumCount: 1
    )

    let model = ManagedObjectModel(entities: [.init(name: "A", relationships: [relationship])])

    #expect(model.complaints().isEmpty)
  }

  // MARK: - Size

  @Test(.timeLimit(.minutes(30)), arguments: [true, false])
  func `five thousand entities are validated, be they a chain or a family`(isChain: Bool) {
    let entities = (0..<5000).map { index in
      EntityDescription(
        name: "E\(index)",
        superentityName: index == 0 ? nil : "E\(isChain ? index - 1 : 0)",
        attributes: (0..<8).map { .init(name: "a\(index)_\($0)", type: .string) },
        relationships: [
          .init(name: "r\(index)", destinationEntityName: "E\(index)", inverseName: "r\(index)")
        ]
      )
    }
    let model = ManagedObjectModel(entities: entities)

    // In time that grows with the square of their number this would not come to its end.
    #expect(model.complaints().isEmpty)
  }
}
