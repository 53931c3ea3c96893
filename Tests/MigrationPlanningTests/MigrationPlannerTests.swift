import Diagnostics
import ModelMapping
import ObjectModel
import SQLSyntax
import TestSupport
import Testing

@testable import MigrationPlanning

@Suite
struct MigrationPlannerTests {
  @Test
  func `all that happens to a table is one ALTER TABLE`() throws {
    let step = try Self.step(
      from: Samples.model(
        "Book",
        AttributeDescription(name: "pages", type: .integer16),
        AttributeDescription(name: "isbn", type: .string, isOptional: false),
        AttributeDescription(name: "title", type: .string)
      ),
      to: Samples.model(
        "Book",
        AttributeDescription(name: "pages", type: .integer32, defaultValue: .integer(1)),
        AttributeDescription(name: "title", type: .string, isOptional: false),
        AttributeDescription(name: "year", type: .integer32),
        uniqueness: [["title"]]
      )
    )

    expectGolden(step.script, named: "one-alter-table.sql")
  }

  @Test
  func `a column that would be numbered otherwise is refused`() throws {
    func model(
      _ type: AttributeType,
      _ numbering: AttributeDescription.Numbering?
    )
      -> ManagedObjectModel
    {
      Samples.model(
        "Ticket",
        AttributeDescription(name: "number", type: type, isOptional: false, numbering: numbering)
      )
    }
    let pairs = [
      (model(.integer32, .serial), model(.integer64, .serial)),
      (model(.integer32, .serial), model(.integer32, .identity)),
      (model(.integer32, nil), model(.integer32, .identity)),
      (model(.integer32, .identity), model(.integer32, nil)),
    ]

    for (source, destination) in pairs {
      let error = #expect(throws: PlanningError.self) {
        try Self.step(from: source, to: destination)
      }
      #expect(error?.fact == .numberingChanges(["column \"number\" of table \"ticket\""]))
    }
    _ = try Self.step(from: model(.integer32, .identity), to: model(.integer64, .identity))
  }

  @Test
  func `a renamed entity takes constraints, indexes and sequence along`() throws {
    var entities = Samples.library.entities
    entities[0].name = "Writer"
    entities[0].renamingIdentifier = "Author"
    entities[1].relationships[0].destinationEntityName = "Writer"
    let destination = ManagedObjectModel(
      entities: entities,
      composites: Samples.library.composites
    )

    for major in [15, 18] {
      let step = try Self.step(
        from: Samples.library,
        to: destination,
        MigrationPlanner(serverMajor: major)
      )

      expectGolden(step.script, named: "renamed-entity-\(major).sql")
    }
  }

  @Test
  func `two attributes change places with all that is called after them`() throws {
    let x = AttributeDescription(name: "x", type: .string, isOptional: false, isIndexed: true)
    let y = AttributeDescription(name: "y", type: .integer32, isIndexed: true)
    var newX = y
    newX.name = "x"
    newX.renamingIdentifier = "y"
    var newY = x
    newY.name = "y"
    newY.renamingIdentifier = "x"

    let step = try Self.step(
      from: Samples.model("A", x, y, uniqueness: [["x"], ["y"]]),
      to: Samples.model("A", newX, newY, uniqueness: [["x"], ["y"]])
    )

    expectGolden(step.script, named: "changed-places.sql")
  }

  @Test
  func `a new relationship adds its column, and a new table its references`() throws {
    let source = ManagedObjectModel(entities: [
      EntityDescription(name: "Book"), EntityDescription(name: "Author"),
    ])
    let destination = ManagedObjectModel(entities: [
      EntityDescription(
        name: "Book",
        relationships: [
          RelationshipDescription(name: "author", destinationEntityName: "Author"),
          RelationshipDescription(name: "sequel", destinationEntityName: "Book"),
          RelationshipDescription(name: "tags", destinationEntityName: "Tag", isToMany: true),
        ]
      ), EntityDescription(name: "Author"), EntityDescription(name: "Tag"),
    ])

    expectGolden(
      try Self.step(from: source, to: destination).script,
      named: "new-relationships.sql"
    )
  }

  @Test
  func `a delete rule that changes on a relationship to itself is planned`() throws {
    func model(_ rule: RelationshipDescription.DeleteRule) -> ManagedObjectModel {
      ManagedObjectModel(entities: [
        EntityDescription(
          name: "Node",
          relationships: [
            RelationshipDescription(
              name: "parent",
              destinationEntityName: "Node",
              inverseName: "children"
            ),
            RelationshipDescription(
              name: "children",
              destinationEntityName: "Node",
              inverseName: "parent",
              isToMany: true,
              deleteRule: rule
            ),
          ]
        )
      ])
    }

    let step = try Self.step(from: model(.nullify), to: model(.cascade))

    #expect(
      step.statements.map(\.sql.text) == [
        """
        ALTER TABLE "s"."node"
          DROP CONSTRAINT "node_parent_fkey",
          ADD CONSTRAINT "node_parent_fkey" FOREIGN KEY ("parent") REFERENCES "s"."node" ("_id") \
        ON DELETE CASCADE DEFERRABLE INITIALLY IMMEDIATE
        """
      ]
    )
    #expect(
      step.lockedTables == [
        MigrationStep.LockedTable(
          name: QualifiedName(schema: "s", name: "node"),
          mode: .accessExclusive
        )
      ]
    )
  }

  @Test
  func `a plan that fills rows lets readers on until its DDL`() throws {
    let step = try Self.step(
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

    expectGolden(step.script, named: "filled.sql")
  }

  // MARK: - Removals

  @Test
  func `what a version drops stays under its name until a later one needs the name`() throws {
    let versions = [
      Samples.model(
        "A",
        AttributeDescription(name: "x", type: .string, isOptional: false, isIndexed: true),
        uniqueness: [["x"]]
      ), Samples.model("A"),
      Samples.model("A", AttributeDescription(name: "x", type: .uuid, isIndexed: true)),
    ]

    let first = try Self.step(from: versions[0], to: versions[1])
    let second = try Self.step(
      from: versions[1],
      to: versions[2],
      names: ("2", "3"),
      retained: first.retained
    )

    expectGolden(first.script + "\n" + second.script, named: "retained-column.sql")
    #expect(
      second.renamedRetained.values.map(\.column) == ["remodel_retained_1_x"]
    )
    #expect(second.renamedRetained.values.map(\.relationNames) == [["remodel_retained_1_a_x_idx"]])
  }

  @Test(arguments: [RemovalPolicy.retain, .drop])
  func `a name that one entity leaves and another takes is cleared first`(
    removals: RemovalPolicy
  ) throws {
    let source = ManagedObjectModel(entities: [
      EntityDescription(
        name: "Book",
        attributes: [AttributeDescription(name: "title", type: .string, isOptional: false)]
      ),
      EntityDescription(
        name: "Tome",
        attributes: [AttributeDescription(name: "size", type: .integer32)],
        relationships: [RelationshipDescription(name: "book", destinationEntityName: "Book")]
      ),
    ])
    let destination = ManagedObjectModel(entities: [
      EntityDescription(
        name: "Book",
        renamingIdentifier: "Tome",
        attributes: [AttributeDescription(name: "size", type: .integer32)],
        relationships: [
          RelationshipDescription(name: "title", destinationEntityName: "Book")
        ]
      )
    ])

    let step = try Self.step(from: source, to: destination, MigrationPlanner(removals: removals))

    expectGolden(step.script, named: "taken-name-\(removals.rawValue).sql")
  }

  @Test
  func `retained columns follow their table, and its retained name`() throws {
    let column = RetainedObject(table: "old", column: "x", version: "1")
    let table = RetainedObject(table: "old", version: "2", relationNames: ["old", "old_pkey"])
    let live = RetainedObject(table: "a", column: "y", version: "2")
    let entity = EntityDescription(name: "A")
    let renamed = EntityDescription(name: "Old", renamingIdentifier: "A")

    let step = try Self.step(
      from: ManagedObjectModel(entities: [entity]),
      to: ManagedObjectModel(entities: [renamed]),
      names: ("3", "4"),
      retained: [column, table, live]
    )

    #expect(step.renamedRetained[column]?.table == "remodel_retained_2_old")
    #expect(step.renamedRetained[table]?.table == "remodel_retained_2_old")
    #expect(step.renamedRetained[live]?.table == "old")
  }

  @Test
  func `removals are refused where the user says so`() throws {
    let error = #expect(throws: PlanningError.self) {
      try Self.step(
        from: ManagedObjectModel(entities: [
          EntityDescription(
            name: "A",
            attributes: [AttributeDescription(name: "x", type: .string)]
          ), EntityDescription(name: "B"),
        ]),
        to: ManagedObjectModel(entities: [EntityDescription(name: "A")]),
        MigrationPlanner(removals: .refuse)
      )
    }

    #expect(
      error?.diagnostics.map(\.description) == [
        """
        ERROR:  the migration would remove something, and removals are refused
        DETAIL:  column "x" of table "a"
            table "b"
        HINT:  Use --removals retain to keep it in place, or --removals drop to delete it.
        """
      ]
    )
  }

  // MARK: - Order

  @Test
  func `operations that wait for one another are a fault of the planner`() {
    let operations: [MigrationOperation] = [
      .rename(RenameObject(kind: .index(of: "t"), name: "a", newName: "b")),
      .rename(RenameObject(kind: .index(of: "t"), name: "b", newName: "a")),
    ]

    #expect(throws: CircularOperations.self) { try OperationGraph(operations).sorted() }
    let broken = Renames.breakingCircles(in: operations)
    #expect(
      (try? OperationGraph(broken).sorted().map(\.base.summary)) == [
        "rename index \"a\" to \"remodel_temporary_a\"", "rename index \"b\" to \"a\"",
        "rename index \"remodel_temporary_a\" to \"b\"",
      ]
    )
  }

  @Test
  func `renames of a circle and of a chain can be put in order`() throws {
    let names: [(SQLIdentifier, SQLIdentifier)] = [
      ("a", "b"), ("b", "c"), ("c", "a"), ("x", "y"), ("y", "z"),
    ]
    let renames = names.map { name, newName in
      MigrationOperation.rename(RenameObject(kind: .table, name: name, newName: newName))
    }

    let sorted = try OperationGraph(Renames.breakingCircles(in: renames)).sorted()

    #expect(
      sorted.map(\.base.summary) == [
        "rename table \"a\" to \"remodel_temporary_a\"", "rename table \"c\" to \"a\"",
        "rename table \"b\" to \"c\"", "rename table \"remodel_temporary_a\" to \"b\"",
        "rename table \"y\" to \"z\"", "rename table \"x\" to \"y\"",
      ]
    )
  }

  @Test
  func `a table and an index of another one can change names`() throws {
    let renames: [MigrationOperation] = [
      .rename(RenameObject(kind: .table, name: "a", newName: "b")),
      .rename(RenameObject(kind: .index(of: "t"), name: "b", newName: "a")),
    ]

    let sorted = try OperationGraph(Renames.breakingCircles(in: renames)).sorted()

    #expect(
      sorted.map(\.base.summary) == [
        "rename table \"a\" to \"remodel_temporary_a\"", "rename index \"b\" to \"a\"",
        "rename table \"remodel_temporary_a\" to \"b\"",
      ]
    )
  }

  @Test
  func `the digest distinguishes plans`() throws {
    let model = Samples.model("A", AttributeDescription(name: "x", type: .string))
    let other = Samples.model("A", AttributeDescription(name: "y", type: .string))

    let first = try Self.step(from: Samples.model("A"), to: model)
    let again = try Self.step(from: Samples.model("A"), to: model)
    let second = try Self.step(from: Samples.model("A"), to: other)

    #expect(first.digest == again.digest)
    #expect(first.digest != second.digest)
    #expect(first.digest.hasPrefix("sha256:"))
  }

  static func step(
    from source: ManagedObjectModel,
    to destination: ManagedObjectModel,
    _ planner: MigrationPlanner = MigrationPlanner(),
    names: (String, String) = ("1", "2"),
    retained: [RetainedObject] = []
  ) throws -> MigrationStep {
    try planner.step(
      from: PlannedVersion(source, named: names.0),
      to: PlannedVersion(destination, named: names.1),
      by: CompleteMapping(from: source, to: destination),
      retained: retained
    )
  }
}
