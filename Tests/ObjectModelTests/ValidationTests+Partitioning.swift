import ObjectModel

/// Faults of how tables are partitioned.
extension ValidationTests {
  private static let monthly = PartitioningDescription(
    .range(attribute: "placed", every: .time(1, .month))
  )
  private static let byKey = PartitioningDescription(.hash(attribute: nil, partitions: 16))

  /// A model with an entity that is partitioned, and others that a change adds.
  private static func partitioned(
    _ message: String,
    _ partitioning: PartitioningDescription,
    _ change: (inout [EntityDescription]) -> Void = { _ in }
  ) -> Case {
    var entities = [
      EntityDescription(
        name: "Order",
        attributes: [
          .init(name: "placed", type: .date, isOptional: false),
          .init(name: "day", type: .calendarDate, isOptional: false),
          .init(name: "number", type: .integer16, isOptional: false),
          .init(name: "region", type: .enumeration(["eu", "us"]), isOptional: false),
          .init(name: "code", type: .varchar(3), isOptional: false),
          .init(name: "total", type: .decimal, isOptional: false),
          .init(name: "details", type: .json, isOptional: false),
          .init(name: "note", type: .string),
          .init(name: "cache", type: .string, isOptional: false, isTransient: true),
          .init(name: "place", type: .composite("Place"), isOptional: false),
          .init(name: "year", type: .integer16, isOptional: false, generationExpression: "1"),
          .init(name: "folded", type: .string, isOptional: false, derivationExpression: "code"),
        ],
        partitioning: partitioning
      )
    ]
    change(&entities)
    let place = CompositeDescription(name: "Place", elements: [.init(name: "x", type: .float)])
    return Case(message, ManagedObjectModel(entities: entities, composites: [place]))
  }

  private static func range(
    _ attribute: String,
    _ every: PartitioningDescription.Interval = .time(1, .month),
    ahead: Int = 3,
    keep: PartitioningDescription.Interval? = nil
  ) -> PartitioningDescription {
    PartitioningDescription(
      .range(attribute: attribute, every: every),
      ahead: ahead,
      retention: keep
    )
  }

  private static func list(_ attribute: String, _ values: [String]?) -> PartitioningDescription {
    PartitioningDescription(.list(attribute: attribute, values: values))
  }

  // MARK: - Faults of the setting

  static let partitions = [
    Case(
      "entity \"B\" cannot have partitions of its own",
      [.init(name: "A"), .init(name: "B", superentityName: "A", partitioning: byKey)]
    ),
    Case(
      "entity \"A\" has partitions, but no table",
      [.init(name: "A", isAbstract: true, partitioning: byKey)]
    ),
    partitioned(
      "entity \"Order\" is partitioned by \"plcaed\", which is no attribute of it",
      range("plcaed")
    ),
    partitioned(
      "entity \"Order\" is partitioned by \"sent\", which entity \"Parcel\" declares",
      range("sent")
    ) {
      $0.append(
        .init(
          name: "Parcel",
          superentityName: "Order",
          attributes: [.init(name: "sent", type: .date, isOptional: false)]
        )
      )
    },
    partitioned(
      "entity \"Order\" is partitioned by \"cache\", which is transient",
      list("cache", ["a"])
    ),
    partitioned(
      "entity \"Order\" is partitioned by \"note\", which is optional",
      list("note", ["a"])
    ),
    partitioned(
      "entity \"Order\" is partitioned by \"place\", which is a composite",
      list("place", ["a"])
    ),
    partitioned(
      "entity \"Order\" is partitioned by \"year\", which is computed by the database",
      range("year", .integers(1))
    ),
    partitioned(
      "entity \"Order\" is partitioned by \"folded\", which is computed by the database",
      list("folded", ["a"])
    ),
    partitioned(
      "entity \"Order\" cannot have a partition every 1000 of \"placed\", whose type is timestamp",
      range("placed", .integers(1000))
    ),
    partitioned(
      "entity \"Order\" cannot have a partition every 1 month of \"number\", whose type is integer16",
      range("number")
    ),
    partitioned(
      "entity \"Order\" cannot have a partition every 6 hours of \"day\", whose type is date",
      range("day", .time(6, .hour))
    ),
    partitioned(
      "entity \"Order\" cannot have a partition every 1 month of \"code\", whose type is varchar(3)",
      range("code")
    ),
    partitioned("every of entity \"Order\" is 0", range("number", .integers(0))),
    partitioned(
      "keep of entity \"Order\" is 1000001 years",
      range("placed", keep: .time(1_000_001, .year))
    ),
    partitioned(
      "entity \"Order\" keeps partitions for 24 months, but has one every 1000",
      range("number", .integers(1000), keep: .time(24, .month))
    ),
    partitioned(
      "entity \"Order\" keeps partitions for 3 weeks, but has one every 1 month",
      range("placed", keep: .time(3, .week))
    ),
    partitioned(
      "ahead of entity \"Order\" is 0, not a number from 1 to 100",
      range("placed", ahead: 0)
    ),
    partitioned(
      "ahead of entity \"Order\" is 101, not a number from 1 to 100",
      range("placed", ahead: 101)
    ),
    partitioned(
      "entity \"Order\" has ahead, but is partitioned by list(region)",
      PartitioningDescription(.list(attribute: "region", values: nil), ahead: 5)
    ),
    partitioned(
      "entity \"Order\" has keep, but is partitioned by hash(_id, 16)",
      PartitioningDescription(
        .hash(attribute: nil, partitions: 16),
        retention: .time(1, .year)
      )
    ),
    partitioned(
      "entity \"Order\" cannot list values of \"total\", whose type is decimal",
      list("total", ["1"])
    ),
    partitioned(
      "entity \"Order\" lists no values of \"code\", whose type is varchar(3)",
      list("code", nil)
    ),
    partitioned("entity \"Order\" has a list of no values to partition by", list("region", [])),
    partitioned(
      "entity \"Order\" lists \"eu\" twice to partition by",
      list("region", ["eu", "eu"])
    ),
    partitioned(
      "entity \"Order\" lists \"1.0\" twice to partition by",
      list("number", ["1", "1.0"])
    ),
    partitioned(
      "entity \"Order\" lists \"asia\" to partition by, which is not of type enum(eu, us)",
      list("region", ["eu", "asia"])
    ),
    partitioned(
      "entity \"Order\" lists \"40000\" to partition by, which is not of type integer16",
      list("number", ["40000"])
    ),
    partitioned(
      "entity \"Order\" lists \"abcd\" to partition by, which is not of type varchar(3)",
      list("code", ["abcd"])
    ),
    partitioned(
      "entity \"Order\" lists 1001 values to partition by",
      list("number", (0...1000).map(String.init))
    ),
    partitioned(
      "entity \"Order\" has 1 partitions by hash",
      PartitioningDescription(.hash(attribute: "code", partitions: 1))
    ),
    partitioned(
      "entity \"Order\" has 1025 partitions by hash",
      PartitioningDescription(.hash(attribute: nil, partitions: 1025))
    ),
    partitioned(
      "entity \"Order\" cannot be partitioned by the hash of \"details\", whose type is json",
      PartitioningDescription(.hash(attribute: "details", partitions: 2))
    ),
  ]

  // MARK: - Faults of what is in the table, and refers to it

  static let partitionedTables = [
    partitioned(
      "uniqueness constraint 2 of entity \"Order\" has to contain \"placed\", by which the table is "
        + "partitioned",
      monthly
    ) { $0[0].uniquenessConstraints = [["number", "placed"], ["number"]] },
    partitioned(
      "uniqueness constraint 1 of entity \"Parcel\" has to contain \"placed\", by which the table is "
        + "partitioned",
      monthly
    ) {
      $0.append(
        .init(name: "Parcel", superentityName: "Order", uniquenessConstraints: [["number"]])
      )
    },
    partitioned(
      "uniqueness constraint 1 of entity \"Order\" cannot hold in a table that is partitioned by its "
        + "key",
      byKey
    ) { $0[0].uniquenessConstraints = [["number"]] },
    partitioned(
      "index \"i\" of entity \"Order\" has to contain \"placed\", by which the table is partitioned",
      monthly
    ) {
      $0[0].fetchIndexes = [
        .init(name: "i", elements: [.init(propertyName: "number")], isUnique: true),
        .init(name: "j", elements: [.init(propertyName: "number")]),
        .init(name: "k", elements: [.init(propertyName: "placed")], isUnique: true),
      ]
    },
    partitioned(
      "relationship \"order\" of entity \"Line\" has a foreign key to entity \"Order\", which is "
        + "partitioned by \"placed\"",
      monthly
    ) { $0 += lines },
    partitioned(
      "relationship \"parcel\" of entity \"Line\" has a foreign key to entity \"Order\", which is "
        + "partitioned by \"placed\"",
      monthly
    ) {
      $0 += [
        .init(name: "Parcel", superentityName: "Order"),
        .init(
          name: "Line",
          relationships: [.init(name: "parcel", destinationEntityName: "Parcel")]
        ),
      ]
    },
    partitioned(
      "relationship \"former\" of entity \"Order\" has a foreign key to entity \"Order\", which is "
        + "partitioned by \"placed\"",
      monthly
    ) { $0[0].relationships = [.init(name: "former", destinationEntityName: "Order")] },
    partitioned(
      "relationship \"labels\" of entity \"Order\" has a foreign key to entity \"Order\", which is "
        + "partitioned by \"placed\"",
      monthly
    ) {
      $0[0].relationships = [.init(name: "labels", destinationEntityName: "Label", isToMany: true)]
      $0.append(.init(name: "Label"))
    },
    partitioned(
      "relationship \"orders\" of entity \"Label\" has a foreign key to entity \"Order\", which is "
        + "partitioned by \"placed\"",
      monthly
    ) {
      $0[0].relationships = [
        .init(
          name: "labels",
          destinationEntityName: "Label",
          inverseName: "orders",
          isToMany: true
        )
      ]
      $0.append(
        .init(
          name: "Label",
          relationships: [
            .init(
              name: "orders",
              destinationEntityName: "Order",
              inverseName: "labels",
              isToMany: true
            )
          ]
        )
      )
    },
    partitioned(
      "relationship \"bill\" of entity \"Order\" is one-to-one, so its foreign key has to be unique in a "
        + "table that is partitioned by hash(_id, 16)",
      byKey
    ) {
      $0[0].relationships = [
        .init(name: "bill", destinationEntityName: "Zbill", inverseName: "order")
      ]
      $0[0].renamingIdentifier = "A"
      $0.append(
        .init(
          name: "Zbill",
          relationships: [
            .init(name: "order", destinationEntityName: "Order", inverseName: "bill")
          ]
        )
      )
    },
  ]

  private static let lines: [EntityDescription] = [
    .init(name: "Line", relationships: [.init(name: "order", destinationEntityName: "Order")])
  ]

  // MARK: - What is allowed

  /// Models without a fault.
  static let rightPartitions =
    [
      monthly, byKey, range("day", .time(1, .day), ahead: 100, keep: .time(1, .day)),
      range("placed", .time(1, .hour)),
      range("number", .integers(10), ahead: 1, keep: .integers(10)),
      list("region", nil), list("region", ["us"]), list("code", ["a", "b"]), list("number", ["-1"]),
      PartitioningDescription(.hash(attribute: "code", partitions: 1024)),
    ]
    .map { partitioned($0.description, $0) }
    + [
      partitioned("links to a table that is partitioned by its key", byKey) {
        $0[0].relationships = [
          .init(name: "former", destinationEntityName: "Order"),
          .init(name: "labels", destinationEntityName: "Label", isToMany: true),
        ]
        $0 += lines + [.init(name: "Label")]
      },
      partitioned("links out of a partitioned table", monthly) {
        $0[0].relationships = [
          .init(name: "customer", destinationEntityName: "Customer", inverseName: "orders"),
          .init(name: "other", destinationEntityName: "Customer", isTransient: true),
        ]
        $0.append(
          .init(
            name: "Customer",
            relationships: [
              .init(
                name: "orders",
                destinationEntityName: "Order",
                inverseName: "customer",
                isToMany: true
              ),
              .init(name: "last", destinationEntityName: "Order", isTransient: true),
            ]
          )
        )
      },
      partitioned("types by the server's names", range("seen", .time(1, .week))) {
        $0[0].attributes.append(
          .init(name: "seen", type: .sql("timestamp(3)"), isOptional: false)
        )
      },
      partitioned("an abstract root", monthly) {
        $0[0].isAbstract = true
        $0.append(.init(name: "Parcel", superentityName: "Order"))
      },
    ]
}
