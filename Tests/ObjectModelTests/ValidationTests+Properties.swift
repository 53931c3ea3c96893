import ObjectModel

/// Faults of attributes and relationships, and of lists of them.
extension ValidationTests {
  static func attribute(_ message: String, _ attribute: AttributeDescription) -> Case {
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
    besideRange(.json, "json"),
    besideRange(.array(.string), "string[]"),
    besideRange(.textSearch, "tsvector"),
    besideRange(.sql("point"), "sql(\"point\")"),
    Case(
      "configuration \"C\" names entity \"Z\", which does not exist",
      ManagedObjectModel(
        entities: [.init(name: "A")],
        configurations: [ModelConfiguration(name: "C", entityNames: ["A", "Z"])]
      )
    ),
  ]

  /// A uniqueness constraint of a composite with a range, and of an attribute of another type.
  private static func besideRange(_ type: AttributeType, _ name: String) -> Case {
    Case(
      "uniqueness constraint 1 of entity \"A\" lists range \"c\" together with \"x\", whose type "
        + "\(name) cannot be compared there",
      ManagedObjectModel(
        entities: [
          .init(
            name: "A",
            attributes: [.init(name: "x", type: type), .init(name: "c", type: .composite("C"))],
            uniquenessConstraints: [["x", "c"]]
          )
        ],
        composites: [.init(name: "C", elements: [.init(name: "r", type: .range(.int4range))])]
      )
    )
  }
}
