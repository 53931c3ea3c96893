import ObjectModel

/// Faults of entities, and of how they are stored.
extension ValidationTests {
  private static let long = String(repeating: "n", count: 64)

  static let names = [
    Case("entity \"\" has no name", [EntityDescription(name: "")]),
    Case("entity \"A\" is defined twice", [EntityDescription(name: "A"), .init(name: "A")]),
    Case(
      "entity \"C\" is matched as \"A\" between versions, and so is \"B\"",
      [.init(name: "B", renamingIdentifier: "A"), .init(name: "C", renamingIdentifier: "A")]
    ),
    Case(
      "entity \"B\" has the renaming identifier \"A\", which is the name of another",
      [.init(name: "B", renamingIdentifier: "A"), .init(name: "A")]
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
      "attribute \"y\" of entity \"A\" has the renaming identifier \"x\", which is the name of another",
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
    Case(
      "entity \"B\" cannot have storage parameters of its own",
      [.init(name: "A"), .init(name: "B", superentityName: "A", storage: ["fillfactor": "80"])]
    ),
  ]

  static let storage = [
    Case(
      "entity \"A\" has storage parameters, but no table",
      [.init(name: "A", isAbstract: true, storage: ["fillfactor": "80"])]
    ),
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
}
