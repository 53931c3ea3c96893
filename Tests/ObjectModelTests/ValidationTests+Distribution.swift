import ObjectModel

/// Faults of how Citus distributes tables.
extension ValidationTests {
  /// A model of tenants, whose orders are beside them, with a change.
  private static func distributed(
    _ message: String,
    _ distribution: DistributionDescription? = .rows(by: "tenant"),
    _ change: (inout [EntityDescription]) -> Void = { _ in }
  ) -> Case {
    var entities = [
      EntityDescription(
        name: "Order",
        attributes: [
          .init(name: "number", type: .integer64, isOptional: false),
          .init(name: "code", type: .varchar(3), isOptional: false),
          .init(name: "details", type: .json, isOptional: false),
          .init(name: "note", type: .string),
          .init(name: "cache", type: .string, isOptional: false, isTransient: true),
          .init(name: "place", type: .composite("Place"), isOptional: false),
          .init(name: "year", type: .integer16, isOptional: false, generationExpression: "1"),
          .init(name: "folded", type: .string, isOptional: false, derivationExpression: "code"),
        ],
        relationships: [
          link("tenant", "Tenant", inverse: "orders"), link("payer", "Tenant", isTransient: true),
        ],
        distribution: distribution
      ),
      EntityDescription(
        name: "Tenant",
        relationships: [
          .init(
            name: "orders",
            destinationEntityName: "Order",
            inverseName: "tenant",
            isToMany: true
          )
        ],
        distribution: .rows(by: nil)
      ),
    ]
    change(&entities)
    let place = CompositeDescription(name: "Place", elements: [.init(name: "x", type: .float)])
    return Case(message, ManagedObjectModel(entities: entities, composites: [place]))
  }

  private static func link(
    _ name: String,
    _ destination: String,
    inverse: String? = nil,
    isOptional: Bool = false,
    isTransient: Bool = false,
    _ reference: ReferenceDescription? = nil
  ) -> RelationshipDescription {
    RelationshipDescription(
      name: name,
      destinationEntityName: destination,
      inverseName: inverse,
      isOptional: isOptional,
      isTransient: isTransient,
      reference: reference
    )
  }

  /// An entity of a tenant, with the relationships given besides.
  private static func item(
    _ distribution: DistributionDescription? = .rows(by: "tenant"),
    _ links: RelationshipDescription...
  ) -> EntityDescription {
    EntityDescription(
      name: "Item",
      attributes: [.init(name: "count", type: .integer64, isOptional: false)],
      relationships: [link("tenant", "Tenant")] + links,
      distribution: distribution
    )
  }

  private static func country(
    _ distribution: DistributionDescription?,
    _ links: RelationshipDescription...
  ) -> EntityDescription {
    EntityDescription(name: "Country", relationships: links, distribution: distribution)
  }

  // MARK: - Faults of the setting

  static let distributions = [
    Case(
      "entity \"B\" cannot have a distribution of its own",
      [.init(name: "A"), .init(name: "B", superentityName: "A", distribution: .reference)]
    ),
    Case(
      "entity \"A\" has a distribution, but no table",
      [.init(name: "A", isAbstract: true, distribution: .reference)]
    ),
    distributed("entity \"Order\" has both partition and distribution") {
      $0[0].partitioning = .init(.hash(attribute: nil, partitions: 2))
    },
    Case(
      "entity \"A\" is numbered by a sequence whose numbers are of type integer32, but its rows "
        + "are on several nodes",
      [.init(name: "A", key: KeyDescription(.other(.integer32)), distribution: .reference)]
    ),
    Case(
      "attribute \"n\" of entity \"A\" is numbered by a sequence whose numbers are of type integer16, "
        + "but its rows are on several nodes",
      [
        .init(
          name: "A",
          attributes: [.init(name: "n", type: .integer16, numbering: .serial)],
          distribution: .rows(by: nil)
        )
      ]
    ),
    distributed(
      "entity \"Order\" is distributed by \"tenatn\", which is no property of it",
      .rows(by: "tenatn")
    ),
    distributed(
      "entity \"Order\" is distributed by \"sent\", which entity \"Parcel\" declares",
      .rows(by: "sent")
    ) {
      $0.append(
        .init(
          name: "Parcel",
          superentityName: "Order",
          attributes: [.init(name: "sent", type: .date, isOptional: false)]
        )
      )
    },
    distributed(
      "entity \"Order\" is distributed by \"_id\", which stands for the key",
      .rows(by: "_id")
    ),
    distributed(
      "entity \"Order\" is distributed by \"cache\", which is transient",
      .rows(by: "cache")
    ),
    distributed(
      "entity \"Order\" is distributed by \"payer\", which is transient",
      .rows(by: "payer")
    ),
    distributed(
      "entity \"Order\" is distributed by \"note\", which is optional",
      .rows(by: "note")
    ),
    distributed("entity \"Order\" is distributed by \"tenant\", which is optional") {
      $0[0].relationships[0].isOptional = true
    },
    distributed(
      "entity \"Order\" is distributed by \"place\", which is a composite",
      .rows(by: "place")
    ),
    distributed(
      "entity \"Order\" is distributed by \"year\", which is computed by the database",
      .rows(by: "year")
    ),
    distributed(
      "entity \"Order\" is distributed by \"folded\", which is computed by the database",
      .rows(by: "folded")
    ),
    distributed(
      "entity \"Order\" cannot be distributed by \"details\", whose type is json",
      .rows(by: "details")
    ),
    distributed("entity \"Tenant\" is distributed by \"orders\", which is to-many") {
      $0[1].distribution = .rows(by: "orders")
    },
    distributed("entity \"Tenant\" is distributed by \"bill\", which is kept by the other end") {
      $0[1].distribution = .rows(by: "bill")
      $0[1].relationships.append(link("bill", "Bill", inverse: "tenant"))
      $0.append(.init(name: "Bill", relationships: [link("tenant", "Tenant", inverse: "bill")]))
    },
    distributed(
      "entity \"Order\" has colocateWith: Tennant, which is no entity",
      .rows(by: "tenant", colocateWith: "Tennant")
    ),
    distributed(
      "entity \"Order\" has colocateWith: Guest, which is stored in the table of entity \"Tenant\"",
      .rows(by: "tenant", colocateWith: "Guest")
    ) { $0.append(.init(name: "Guest", superentityName: "Tenant")) },
    distributed(
      "entity \"Order\" is colocated with itself",
      .rows(by: "number", colocateWith: "Order")
    ),
    distributed("entity \"Order\" is colocated with itself") {
      $0[1].distribution = .rows(by: nil, colocateWith: "Order")
    },
    distributed(
      "entity \"Order\" has colocateWith: Country, whose rows are not distributed",
      .rows(by: "tenant", colocateWith: "Country")
    ) { $0.append(country(nil)) },
    distributed(
      "entity \"Order\" has colocateWith: Country, whose rows are not distributed",
      .rows(by: "tenant", colocateWith: "Country")
    ) { $0.append(country(.reference)) },
    distributed(
      "entity \"Order\" has colocateWith: Tenant, which is distributed by values of type integer64, "
        + "not varchar(3)",
      .rows(by: "code", colocateWith: "Tenant")
    ),
    distributed(
      "entity \"Country\" has colocateWith: Order, which is distributed by values of type uuid, not "
        + "integer64"
    ) {
      $0[1].key = .uuid
      $0.append(country(.rows(by: nil, colocateWith: "Order")))
    },
  ]

  // MARK: - Faults of what is in the table, and refers to it

  static let distributedTables = [
    distributed(
      "uniqueness constraint 2 of entity \"Order\" has to contain \"tenant\", by which Citus distributes "
        + "the table"
    ) { $0[0].uniquenessConstraints = [["number", "tenant"], ["number"]] },
    distributed(
      "uniqueness constraint 1 of entity \"Parcel\" has to contain \"tenant\", by which Citus distributes "
        + "the table"
    ) {
      $0.append(
        .init(name: "Parcel", superentityName: "Order", uniquenessConstraints: [["number"]])
      )
    },
    distributed(
      "uniqueness constraint 1 of entity \"Country\" cannot hold in a table that Citus distributes by "
        + "its key"
    ) {
      var country = country(.rows(by: nil))
      country.attributes = [.init(name: "code", type: .string)]
      country.uniquenessConstraints = [["code"]]
      $0.append(country)
    },
    distributed(
      "index \"i\" of entity \"Order\" has to contain \"tenant\", by which Citus distributes the table"
    ) {
      $0[0].fetchIndexes = [
        .init(name: "i", elements: [.init(propertyName: "number")], isUnique: true),
        .init(name: "j", elements: [.init(propertyName: "number")]),
        .init(name: "k", elements: [.init(propertyName: "tenant")], isUnique: true),
        .init(name: "l", elements: [], definition: "(number)", isUnique: true),
      ]
    },
    distributed(
      "relationship \"bill\" of entity \"Order\" is one-to-one, so its foreign key has to be unique in a "
        + "table that Citus distributes by \"tenant\""
    ) {
      $0[0].relationships.append(link("bill", "Zbill", inverse: "order"))
      $0.append(
        .init(
          name: "Zbill",
          relationships: [link("order", "Order", inverse: "bill")],
          distribution: .reference
        )
      )
    },
    distributed(
      "relationship \"labels\" of entity \"Order\" has a join table, whose foreign key to entity "
        + "\"Order\" cannot be enforced"
    ) {
      $0[0].relationships.append(
        .init(name: "labels", destinationEntityName: "Country", isToMany: true)
      )
      $0.append(country(.reference))
    },
    distributed(
      "relationship \"orders\" of entity \"Country\" has a join table, whose foreign key to entity "
        + "\"Order\" cannot be enforced"
    ) {
      $0.append(country(nil, .init(name: "orders", destinationEntityName: "Order", isToMany: true)))
    },
    distributed(
      "relationship \"last\" of entity \"Country\" has a foreign key to entity \"Order\", which would not "
        + "be enforced on all nodes"
    ) { $0.append(country(nil, link("last", "Order"))) },
    distributed(
      "relationship \"last\" of entity \"Country\" has a foreign key to entity \"Order\", which would not "
        + "be enforced on all nodes"
    ) { $0.append(country(.reference, link("last", "Order"))) },
    distributed(
      "relationship \"country\" of entity \"Order\" has a foreign key to entity \"Country\", whose rows "
        + "are on the coordinator alone"
    ) {
      $0[0].relationships.append(link("country", "Country"))
      $0.append(country(nil))
    },
    distributed(
      "relationship \"order\" of entity \"Item\" has a foreign key to entity \"Order\", whose rows are on "
        + "other nodes"
    ) {
      $0.append(item(.rows(by: "count"), link("order", "Order")))
      $0[2].relationships.removeFirst()
    },
    distributed(
      "relationship \"tenant\" of entity \"Item\" has a foreign key to entity \"Tenant\", which is "
        + "distributed by its key"
    ) { $0.append(item(.rows(by: "count", colocateWith: "Order"))) },
    distributed(
      "relationship \"order\" of entity \"Item\" has a foreign key to entity \"Order\", which is "
        + "distributed by \"tenant\""
    ) {
      $0.append(
        .init(
          name: "Item",
          relationships: [link("order", "Order")],
          distribution: .rows(by: "order", colocateWith: "Order")
        )
      )
    },
    distributed(
      "relationship \"first\" of entity \"Tenant\" has a foreign key to entity \"Order\", which is "
        + "distributed by \"tenant\""
    ) { $0[1].relationships.append(link("first", "Order")) },
    distributed(
      "relationship \"host\" of entity \"Tenant\" has a foreign key to entity \"Tenant\", which is "
        + "distributed by its key"
    ) { $0[1].relationships.append(link("host", "Tenant")) },
    distributed(
      "relationship \"order\" of entity \"Item\" has a foreign key with the action setNull on delete, "
        + "which Citus refuses"
    ) { $0.append(item(.rows(by: "tenant"), link("order", "Order", isOptional: true))) },
    distributed(
      "relationship \"order\" of entity \"Item\" has a foreign key with the action setNull on delete, "
        + "which Citus refuses"
    ) {
      $0[0].relationships.append(
        .init(name: "items", destinationEntityName: "Item", inverseName: "order", isToMany: true)
      )
      $0.append(
        item(.rows(by: "tenant"), link("order", "Order", inverse: "items", isOptional: true))
      )
    },
    distributed(
      "relationship \"former\" of entity \"Order\" has a foreign key with the action setDefault on "
        + "delete, which Citus refuses"
    ) { $0[0].relationships.append(link("former", "Order", .init(onDelete: .setDefault))) },
    distributed(
      "relationship \"tenant\" of entity \"Order\" has a foreign key with the action cascade on update, "
        + "which Citus refuses"
    ) { $0[0].relationships[0].reference = .init(onUpdate: .cascade) },
    distributed(
      "relationship \"country\" of entity \"Item\" has a foreign key with the action setNull on delete, "
        + "which Citus refuses"
    ) {
      $0.append(country(.reference))
      $0.append(item(.rows(by: "country"), link("country", "Country", .init(onDelete: .setNull))))
      $0[3].relationships.removeFirst()
    },
    distributed(
      "relationship \"home\" of entity \"Country\" has a foreign key with the action setNull on delete, "
        + "which Citus refuses"
    ) {
      $0.append(country(.reference, link("home", "Planet", isOptional: true)))
      $0.append(.init(name: "Planet"))
    },
    distributed(
      "relationship \"home\" of entity \"Country\" has a foreign key with the action cascade on delete, "
        + "which Citus refuses"
    ) {
      $0.append(country(.reference, link("home", "Planet", inverse: "countries")))
      $0.append(
        .init(
          name: "Planet",
          relationships: [
            .init(
              name: "countries",
              destinationEntityName: "Country",
              inverseName: "home",
              isToMany: true,
              deleteRule: .cascade
            )
          ]
        )
      )
    },
  ]

  // MARK: - What is allowed

  /// Models without a fault.
  static let rightDistributions = [
    distributed("by a relationship to rows that are distributed by their key"),
    distributed("by a key that has the same type", .rows(by: nil, colocateWith: "Tenant")) {
      $0[0].relationships.removeAll()
      $0[1].relationships.removeAll()
    },
    distributed("by an attribute", .rows(by: "code")) {
      $0[0].relationships.removeAll()
      $0[1].relationships.removeAll()
    },
    distributed("beside texts of another length", .rows(by: "code")) {
      $0[0].relationships.removeAll()
      $0[1].relationships.removeAll()
      $0[1].attributes = [.init(name: "code", type: .varchar(5), isOptional: false)]
      $0[1].distribution = .rows(by: "code", colocateWith: "Order")
    },
    distributed(
      "beside an entity that is beside another",
      .rows(by: "tenant", colocateWith: "Item")
    ) {
      $0.append(item())
    },
    distributed("a relationship inside of a tenant") {
      $0.append(
        item(
          .rows(by: "tenant"),
          link("order", "Order"),
          link("other", "Order", isOptional: true, .init(onDelete: .cascade)),
          link("next", "Item", isOptional: true, .init(onDelete: .restrict))
        )
      )
    },
    distributed("a relationship of a subentity, to a subentity") {
      $0.append(.init(name: "Parcel", superentityName: "Order"))
      $0.append(item())
      $0.append(
        .init(name: "Gift", superentityName: "Item", relationships: [link("parcel", "Parcel")])
      )
    },
    distributed("an owner that is a subentity") {
      $0.append(.init(name: "Guest", superentityName: "Tenant"))
      $0[0].relationships[0].destinationEntityName = "Guest"
      $0[0].relationships[0].inverseName = nil
      $0[1].relationships.removeAll()
      $0.append(item(.rows(by: "tenant"), link("order", "Order")))
    },
    distributed("one for each tenant") {
      $0[1].relationships.append(link("profile", "Account", inverse: "tenant"))
      $0.append(
        .init(
          name: "Account",
          relationships: [link("tenant", "Tenant", inverse: "profile")],
          distribution: .rows(by: "tenant")
        )
      )
    },
    distributed("reference tables") {
      $0[0].relationships.append(link("country", "Country", isOptional: true))
      $0.append(
        country(
          .reference,
          link("neighbor", "Country", isOptional: true),
          link("planet", "Planet"),
          .init(name: "labels", destinationEntityName: "Planet", isToMany: true)
        )
      )
      $0[2].attributes = [.init(name: "code", type: .string, isOptional: false)]
      $0[2].uniquenessConstraints = [["code"]]
      $0.append(
        .init(
          name: "Planet",
          relationships: [link("country", "Country", isOptional: true)],
          key: KeyDescription(.other(.integer32))
        )
      )
    },
    distributed("numbers that the application gives") {
      $0.append(country(.reference))
      $0[2].key = KeyDescription(.other(.integer32), generation: .application)
    },
  ]
}
