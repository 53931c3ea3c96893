package import ObjectModel

/// Small models whose names tell their point.
package enum Samples {
  /// A model with some of everything, relationships with inverses and a hierarchy among it.
  package static let library = ManagedObjectModel(
    entities: [
      EntityDescription(
        name: "Author",
        attributes: [AttributeDescription(name: "name", type: .string, isOptional: false)],
        relationships: [
          RelationshipDescription(
            name: "books",
            destinationEntityName: "Work",
            inverseName: "author",
            isToMany: true,
            deleteRule: .cascade
          )
        ],
        uniquenessConstraints: [["name"]]
      ),
      EntityDescription(
        name: "Work",
        isAbstract: true,
        attributes: [
          AttributeDescription(
            name: "title",
            type: .string,
            isOptional: false,
            defaultValue: .string("say \"hi\"\\\n")
          ),
          AttributeDescription(name: "cache", type: .undefined, isTransient: true),
        ],
        relationships: [
          RelationshipDescription(
            name: "author",
            destinationEntityName: "Author",
            inverseName: "books"
          )
        ],
        fetchIndexes: [
          FetchIndexDescription(
            name: "byTitle",
            elements: [.init(propertyName: "title", isAscending: false)]
          )
        ]
      ),
      EntityDescription(
        name: "Book",
        superentityName: "Work",
        attributes: [
          AttributeDescription(name: "pages", type: .integer32, defaultValue: .integer(1)),
          AttributeDescription(name: "size", type: .composite("Size")),
        ]
      ),
    ],
    composites: [
      CompositeDescription(
        name: "Size",
        elements: [
          AttributeDescription(name: "width", type: .double),
          AttributeDescription(name: "größe", type: .numeric(precision: 10, scale: 2)),
        ]
      )
    ]
  )

  /// Returns a model of one entity with these attributes.
  package static func model(
    _ name: String = "A",
    _ attributes: AttributeDescription...,
    uniqueness: [[String]] = []
  ) -> ManagedObjectModel {
    ManagedObjectModel(entities: [
      EntityDescription(name: name, attributes: attributes, uniquenessConstraints: uniqueness)
    ])
  }
}
