import Diagnostics
import ObjectModel
import PostgresClient
import SQLSyntax
import TestSupport
import Testing

@testable import MigrationPlanning

/// Whatever the parts of a model are called, tables, columns and everything else have names of their own.
@Suite
struct NameClaimsTests {
  // MARK: - Examples

  @Test
  func `a join table gives way to the table of an entity`() throws {
    let tables = try Self.tables([
      EntityDescription(
        name: "Order",
        relationships: [Self.toMany("searchResults", "SearchResult", "orders")]
      ),
      EntityDescription(
        name: "SearchResult",
        relationships: [Self.toMany("orders", "Order", "searchResults")]
      ),
      EntityDescription(name: "OrderSearchResults"),
    ])

    #expect(
      tables == [
        "order", "order_search_results", "order_search_results_orders", "search_result",
      ]
    )
  }

  @Test
  func `positions of one name are called after the foreign keys that they stand beside`() throws {
    let projection = try Self.projection([
      EntityDescription(
        name: "Product",
        relationships: [Self.toMany("addOns", "AddOn", "product", isOrdered: true)]
      ),
      EntityDescription(
        name: "Booking",
        relationships: [Self.toMany("addOns", "AddOn", "booking", isOrdered: true)]
      ),
      EntityDescription(
        name: "AddOn",
        relationships: [
          .init(name: "product", destinationEntityName: "Product", inverseName: "addOns"),
          .init(name: "booking", destinationEntityName: "Booking", inverseName: "addOns"),
        ]
      ),
    ])

    #expect(
      projection.schema.tables["add_on"]?.columns.map(\.name)
        == ["_id", "product", "_product_position", "booking", "_booking_position"]
    )
    #expect(
      projection.concessions.map(\.diagnostic.message) == [
        "a column of table \"add_on\" is called \"_product_position\"",
        "a column of table \"add_on\" is called \"_booking_position\"",
      ]
    )
  }

  @Test
  func `a column has no name that the server or the rules need`() throws {
    let names = ["_id", "_Entity", "ctid", "xmin", "tableOID", "select"]
    let projection = try Self.projection([
      EntityDescription(
        name: "A",
        attributes: names.map { AttributeDescription(name: $0, type: .string) }
      )
    ])

    let columns = projection.schema.tables["a"]?.columns.map(\.name.name) ?? []
    #expect(columns.count == 7 && columns.first == "_id" && columns.last == "select")
    #expect(columns.dropFirst().dropLast().allSatisfy { $0.dropLast(9).count + 9 == $0.count })
    #expect(
      Set(columns.dropFirst().map(SQLIdentifier.init)).isDisjoint(
        with: StorageNames.reservedColumns
      )
    )
  }

  @Test
  func `what people wrote keeps its name, and what the rules derive gives way to it`() throws {
    let projection = try Self.projection([
      EntityDescription(
        name: "Item",
        attributes: [
          AttributeDescription(name: "a", type: .string),
          AttributeDescription(name: "b", type: .string, columnName: "a"),
          AttributeDescription(name: "n", type: .integer16, isOptional: false),
        ],
        uniquenessConstraints: [["a"], ["n"]],
        key: KeyDescription(.bigint, columnName: "n"),
        checks: [CheckDescription(name: "item_n_not_null", expression: "n > 0")],
        objectNames: ["item_pkey": "item_a_key"]
      ),
      EntityDescription(name: "Thing"), EntityDescription(name: "Other", tableName: "thing"),
    ])

    #expect(projection.tables[.root(entity: "Other")] == "thing")
    #expect(projection.tables[.root(entity: "Thing")]?.name.hasPrefix("thing_") ?? false)
    #expect(projection.columns[.attribute(entity: "Item", "b", path: [])]?.column == "a")
    #expect(projection.columns[.key(entity: "Item")]?.column == "n")
    try Self.expectDistinct(projection, "given names")
  }

  // MARK: - Properties

  @Test
  func `random models with hostile names have no name twice, in whatever order they are`() throws {
    var gaveWay = 0
    for seed in RandomCases.firstSeed..<RandomCases.firstSeed
      + UInt64(RandomCases.count(orElse: 300))
    {
      var random = SeededGenerator(seed: seed)
      let model = Self.model(&random)
      #expect(model.complaints().filter { $0.severity == .error }.isEmpty, "seed \(seed)")
      let projection = try ModelProjection(model, schema: "s")

      try Self.expectDistinct(projection, "seed \(seed)")
      gaveWay += projection.schema.tables.values.flatMap(\.columns).count { column in
        column.name.name.wholeMatch(of: /.*_[0-9a-f]{8}/) != nil
      }

      var generator = ModelGenerator(seed: seed)
      let shuffled = try ModelProjection(generator.shuffled(model), schema: "s")
      #expect(shuffled.tables == projection.tables, "seed \(seed)")
      #expect(shuffled.columns == projection.columns, "seed \(seed)")
      #expect(shuffled.schema.ordered == projection.schema.ordered, "seed \(seed)")
      #expect(generator.shuffled(model).versionHashes() == model.versionHashes(), "seed \(seed)")

      let stranger = EntityDescription(
        name: "Stranger",
        attributes: [AttributeDescription(name: "far", type: .string, isOptional: false)],
        relationships: [
          .init(name: "first", destinationEntityName: model.entities[0].name, isToMany: true)
        ],
        uniquenessConstraints: [["far"]]
      )
      let joined = ManagedObjectModel(entities: [stranger] + model.entities)
      let beside = try ModelProjection(joined, schema: "s")
      #expect(beside.columns.filter { projection.columns[$0.key] != nil } == projection.columns)
      #expect(
        beside.schema.ordered.filter { projection.tableOrigins[$0.name] != nil }
          == projection.schema.ordered,
        "seed \(seed)"
      )
    }
    #expect(gaveWay > 100, "\(gaveWay) columns gave way")
  }

  /// The names are those of the catalog, too: a server makes the tables.
  @Test(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
  func `a server takes random models with hostile names`() async throws {
    try await TestServer.withDatabase { url in
      let connection = try PostgresConnection(to: .url(url))
      try connection.prepareSession()
      for seed in 1...20 as ClosedRange<UInt64> {
        var random = SeededGenerator(seed: seed)
        let version = try PlannedVersion(Self.model(&random), named: "1")
        var migration = LiveMigration(MigrationPlanner(), name: "seed \(seed)")
        try migration.create(version, seed: seed, connection)
      }
    }
  }

  private static func expectDistinct(_ projection: ModelProjection, _ place: String) throws {
    let tables = projection.schema.tables
    #expect(tables.count == projection.tables.count, "\(place)")
    var relations: [SQLIdentifier] = []
    var functions: [SQLIdentifier] = []
    for (name, table) in tables {
      #expect(table.columns.count == projection.columnOrigins[name]?.count, "\(place)")
      let constraints =
        table.constraints.map(\.name) + table.columns.compactMap(\.notNullConstraint)
      for names in [table.columns.map(\.name), constraints] {
        #expect(Set(names).count == names.count, "\(place): \(names)")
        #expect(names.allSatisfy { (1...63).contains($0.name.utf8.count) }, "\(place)")
      }
      relations += table.relationNames
      functions += table.triggers.map(\.name)
    }
    #expect(Set(relations).count == relations.count, "\(place)")
    #expect(Set(functions).count == functions.count, "\(place)")
    let model = projection.model
    let leaves = model.entities.filter { projection.table(of: $0) != nil }
      .flatMap(\.attributes).filter { !$0.isTransient }
      .reduce(0) { $0 + model.leaves(of: AttributePart($1)).count }
    let found = projection.columns.keys.count { origin in
      if case .attribute = origin { true } else { false }
    }
    #expect(found == leaves, "\(place)")
  }

  // MARK: - Models

  /// Names that differ by case, by the style of their words, in what is cut off, or that mean something to the
  /// server.
  private static let words = [
    "userID", "userId", "user_id", "UserID", "User_Id", "_id", "_ID", "_entity", "_Entity", "id",
    "ctid", "xmin", "tableoid", "select", "order", "Order", "orders", "position", "addOns",
    "add_ons",
    "_addOns_position", "_add_ons_position", "orderUserID", "order_userId", "source", "target",
    String(repeating: "veryLong", count: 8), String(repeating: "veryLong", count: 8) + "Name",
    String(repeating: "very_long", count: 7), String(repeating: "日", count: 21),
    String(repeating: "日", count: 22), "pkey", "order_pkey", "user_id_key", "_id_seq",
  ]

  private static func model(_ random: inout SeededGenerator) -> ManagedObjectModel {
    var names = words.shuffled(using: &random)
    var entities: [EntityDescription] = []
    for _ in 0..<Int.random(in: 3...7, using: &random) {
      guard let name = names.popLast() else { break }
      var entity = EntityDescription(name: name)
      if !entities.isEmpty, random.once(in: 3) {
        entity.superentityName = random.pick(entities)?.name
      } else if random.once(in: 5) {
        entity.tableName = "given \(entities.count)"
      }
      entities.append(entity)
    }
    // A hierarchy has no property twice.
    var left = Dictionary(
      uniqueKeysWithValues: entities.map { entity in
        (entity.name, words.shuffled(using: &random))
      }
    )
    func root(_ entity: EntityDescription) -> String {
      var entity = entity
      while let name = entity.superentityName,
        let parent = entities.first(where: { $0.name == name })
      { entity = parent }
      return entity.name
    }
    for index in entities.indices {
      let root = root(entities[index])
      for _ in 0..<Int.random(in: 0...6, using: &random) {
        guard let name = left[root]?.popLast() else { break }
        entities[index].attributes.append(
          AttributeDescription(
            name: name,
            type: random.once(in: 2) ? .string : .integer32,
            isOptional: random.once(in: 2)
          )
        )
      }
      if random.once(in: 2), let name = entities[index].attributes.first?.name {
        entities[index].uniquenessConstraints = [[name]]
      }
    }
    for _ in 0..<Int.random(in: 2...8, using: &random) {
      let (first, second) = (
        Int.random(in: entities.indices, using: &random),
        Int.random(in: entities.indices, using: &random)
      )
      guard let name = left[root(entities[first])]?.popLast() else { continue }
      var end = RelationshipDescription(
        name: name,
        destinationEntityName: entities[second].name,
        isToMany: random.once(in: 2)
      )
      end.isOrdered = end.isToMany && random.once(in: 2)
      if random.once(in: 4) {
        entities[first].relationships.append(end)
        continue
      }
      guard let other = left[root(entities[second])]?.popLast() else { continue }
      var inverse = RelationshipDescription(
        name: other,
        destinationEntityName: entities[first].name,
        inverseName: name,
        isToMany: random.once(in: 2)
      )
      inverse.isOrdered = inverse.isToMany && random.once(in: 2)
      end.inverseName = other
      entities[first].relationships.append(end)
      entities[second].relationships.append(inverse)
    }
    return ManagedObjectModel(entities: entities)
  }

  private static func projection(_ entities: [EntityDescription]) throws -> ModelProjection {
    try ModelProjection(ManagedObjectModel(entities: entities), schema: "s")
  }

  private static func tables(_ entities: [EntityDescription]) throws -> [SQLIdentifier] {
    try projection(entities).schema.tables.keys.sorted()
  }

  private static func toMany(
    _ name: String,
    _ destination: String,
    _ inverse: String,
    isOrdered: Bool = false
  ) -> RelationshipDescription {
    RelationshipDescription(
      name: name,
      destinationEntityName: destination,
      inverseName: inverse,
      isToMany: true,
      isOrdered: isOrdered
    )
  }
}
