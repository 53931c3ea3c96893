import Diagnostics
import ObjectModel
import SQLSyntax
import TestSupport
import Testing

@testable import MigrationPlanning

@Suite
struct ModelProjectionTests {
  // MARK: - Relationships

  @Test
  func `the sample's tables are the golden ones`() throws {
    let version = try PlannedVersion(Samples.library)

    let step = try MigrationPlanner().step(creating: version)

    expectGolden(step.script, named: "library.sql")
  }

  @Test
  func `tables that do not follow the rules are the golden ones`() throws {
    let version = try PlannedVersion(Samples.adopted)

    let step = try MigrationPlanner().step(creating: version)

    expectGolden(step.script, named: "adopted.sql")
  }

  @Test
  func `names for what there is not, and names of two things, are refused`() throws {
    let model = ManagedObjectModel(entities: [
      EntityDescription(name: "A", objectNames: ["a_pky": "x", "a_pkey": "b"]),
      EntityDescription(
        name: "B",
        attributes: [AttributeDescription(name: "n", type: .integer16, isOptional: false)],
        tableName: "b",
        checks: [CheckDescription(name: "c", expression: "n > 0")],
        objectNames: ["b_n_not_null": "c"]
      ),
    ])

    let error = #expect(throws: ProjectionError.self) { try ModelProjection(model, schema: "s") }

    let words = try #require(error).diagnostics.map(\.description).joined(separator: "\n\n")
    expectGolden(words + "\n", named: "name-faults.txt")
  }

  @Test(arguments: [
    ("lower(email)", "lower(\"mail\")"), ("\"email\" || 'email'", "\"mail\" || 'email'"),
    ("EMAIL IS NULL", "\"mail\" IS NULL"), ("email.x", "email.x"), ("s.email", "s.email"),
    ("x::email", "x::email"), ("email('x')", "email('x')"), ("email 'x'", "email 'x'"),
    ("$$email$$ = email -- email", "$$email$$ = \"mail\" -- email"),
    ("/* email */ E'\\'email' || email", "/* email */ E'\\'email' || \"mail\""),
    ("CAST(1 AS email)", "CAST(1 AS email)"), ("user = email", "user = \"mail\""),
    ("USING gin (email gin_trgm_ops)", "USING gin (\"mail\" gin_trgm_ops)"),
  ])
  func `columns in what people wrote are renamed, and nothing else is`(
    text: String,
    renamed: String
  ) {
    let fragment = SQLFragment(written: text, columns: ["email", "user"])

    #expect(fragment.renamingIdentifiers(["email": "mail"]).text == renamed)
  }

  @Test(arguments: RelationshipDescription.DeleteRule.allCases, [true, false])
  func `a foreign key does on delete what the other end's rule says`(
    rule: RelationshipDescription.DeleteRule,
    isOptional: Bool
  ) throws {
    let model = Self.pair(
      RelationshipDescription(
        name: "bs",
        destinationEntityName: "B",
        inverseName: "a",
        isToMany: true,
        deleteRule: rule
      ),
      RelationshipDescription(
        name: "a",
        destinationEntityName: "A",
        inverseName: "bs",
        isOptional: isOptional
      )
    )
    let action: ForeignKey.Action =
      switch rule {
      case .nullify, .noAction: isOptional ? .setNull : .noAction
      case .cascade: .cascade
      case .deny: .noAction
      }

    let table = try #require(try PlannedVersion(model).projection.schema.tables["b"])

    #expect(
      table.constraints.last
        == Constraint(
          name: "b_a_fkey",
          definition: .foreignKey(ForeignKey(column: "a", references: "a", onDelete: action))
        )
    )
    #expect(table.indexes == [Index(name: "b_a_idx", elements: [.init(column: "a")])])
    #expect(table.column("a")?.isNullable == isOptional)
    #expect(table.triggers == [])
  }

  @Test(arguments: RelationshipDescription.DeleteRule.allCases)
  func `a link is removed with its end unless that is denied`(
    rule: RelationshipDescription.DeleteRule
  ) throws {
    let model = Self.pair(
      RelationshipDescription(
        name: "bs",
        destinationEntityName: "B",
        inverseName: "as",
        isToMany: true,
        deleteRule: rule
      ),
      RelationshipDescription(
        name: "as",
        destinationEntityName: "A",
        inverseName: "bs",
        isToMany: true
      )
    )

    let table = try #require(try PlannedVersion(model).projection.schema.tables["a_bs"])

    #expect(
      table.constraints == [
        Constraint(name: "a_bs_pkey", definition: .primaryKey(["as", "bs"])),
        Constraint(
          name: "a_bs_as_fkey",
          definition: .foreignKey(
            ForeignKey(
              column: "as",
              references: "a",
              onDelete: rule == .deny ? .noAction : .cascade
            )
          )
        ),
        Constraint(
          name: "a_bs_bs_fkey",
          definition: .foreignKey(ForeignKey(column: "bs", references: "b", onDelete: .cascade))
        ),
      ]
    )
    #expect(table.indexes == [Index(name: "a_bs_bs_idx", elements: [.init(column: "bs")])])
    #expect(table.triggers.map(\.name) == (rule == .cascade ? ["a_bs_bs_cascade"] : []))
  }

  @Test
  func `of two to-one ends the canonically smaller keeps the key, which is unique`() throws {
    var forth = RelationshipDescription(name: "b", destinationEntityName: "B", inverseName: "z")
    let back = RelationshipDescription(name: "z", destinationEntityName: "A", inverseName: "b")
    let schema = try PlannedVersion(Self.pair(forth, back)).projection.schema

    #expect(schema.tables["a"]?.columns.map(\.name) == ["_id", "b"])
    #expect(schema.tables["b"]?.columns.map(\.name) == ["_id"])
    #expect(schema.tables["a"]?.constraints.map(\.name) == ["a_pkey", "a_b_key", "a_b_fkey"])
    #expect(schema.tables["a"]?.indexes == [])

    forth.isOptional = false
    let unique = ManagedObjectModel(
      entities: Self.pair(forth, back).entities.map { entity in
        var entity = entity
        if entity.name == "A" { entity.uniquenessConstraints = [["b"]] }
        return entity
      }
    )
    let table = try PlannedVersion(unique).projection.schema.tables["a"]
    #expect(table?.constraints.map(\.name) == ["a_pkey", "a_b_key", "a_b_fkey"])
  }

  @Test
  func `an order is a position beside the key or in the join table`() throws {
    let toOne = Self.pair(
      RelationshipDescription(
        name: "bs",
        destinationEntityName: "B",
        inverseName: "a",
        isToMany: true,
        isOrdered: true
      ),
      RelationshipDescription(name: "a", destinationEntityName: "A", inverseName: "bs")
    )
    let toMany = Self.pair(
      RelationshipDescription(
        name: "bs",
        destinationEntityName: "B",
        inverseName: "as",
        isToMany: true,
        isOrdered: true
      ),
      RelationshipDescription(
        name: "as",
        destinationEntityName: "A",
        inverseName: "bs",
        isToMany: true,
        isOrdered: true
      )
    )

    let first = try PlannedVersion(toOne).projection.schema
    let second = try PlannedVersion(toMany).projection.schema

    #expect(first.tables["b"]?.columns.map(\.name) == ["_id", "a", "_bs_position"])
    #expect(first.tables["b"]?.column("_bs_position")?.isNullable == true)
    #expect(
      second.tables["a_bs"]?.columns.map(\.name) == ["as", "bs", "_bs_position", "_as_position"]
    )
  }

  @Test
  func `a relation of an entity to itself has a source and a target`() throws {
    let model = ManagedObjectModel(entities: [
      EntityDescription(
        name: "A",
        relationships: [
          RelationshipDescription(name: "friends", destinationEntityName: "A", isToMany: true),
          RelationshipDescription(
            name: "peers",
            destinationEntityName: "A",
            inverseName: "peers",
            isToMany: true
          ),
          RelationshipDescription(name: "next", destinationEntityName: "A"),
        ]
      )
    ])

    let schema = try PlannedVersion(model).projection.schema

    #expect(schema.tables["a_friends"]?.columns.map(\.name) == ["source", "target"])
    #expect(schema.tables["a_peers"]?.columns.map(\.name) == ["source", "target"])
    #expect(schema.tables["a"]?.columns.map(\.name) == ["_id", "next"])
  }

  // MARK: - Hierarchies

  @Test
  func `what a subentity declares is its own column, nullable with a check`() throws {
    let model = ManagedObjectModel(entities: [
      EntityDescription(name: "Work", isAbstract: true),
      EntityDescription(
        name: "Book",
        superentityName: "Work",
        attributes: [
          AttributeDescription(
            name: "pageCount",
            type: .integer32,
            isOptional: false,
            defaultValue: .integer(1)
          )
        ],
        uniquenessConstraints: [["pageCount"]]
      ), EntityDescription(name: "Novel", superentityName: "Book"),
    ])

    let table = try #require(try PlannedVersion(model).projection.schema.tables["work"])

    #expect(
      table.columns.dropFirst(2) == [Column(name: "book_page_count", type: "integer")]
    )
    #expect(
      table.constraints.compactMap(\.checkText) == [
        #""_entity" IN ('Book', 'Novel')"#,
        #""_entity" NOT IN ('Book', 'Novel') OR "book_page_count" IS NOT NULL"#,
      ]
    )
    #expect(table.indexes.map(\.isUnique) == [true])
    #expect(table.indexes.first?.predicate?.text == #""_entity" IN ('Book', 'Novel')"#)
  }

  @Test
  func `an abstract entity without concrete ones has no table`() throws {
    let model = ManagedObjectModel(entities: [
      EntityDescription(name: "A", isAbstract: true),
      EntityDescription(
        name: "B",
        relationships: [RelationshipDescription(name: "a", destinationEntityName: "A")]
      ),
    ])

    let schema = try PlannedVersion(model).projection.schema

    #expect(schema.tables.keys.sorted() == ["b"])
    #expect(schema.tables["b"]?.columns.map(\.name) == ["_id"])
  }

  @Test
  func `elements of a composite are columns`() throws {
    let table = try PlannedVersion(Samples.library).projection.schema.tables["work"]

    #expect(
      table?.columns.map(\.name.name) == [
        "_id", "_entity", "title", "book_pages", "book_size_width", "book_size_größe", "author",
      ]
    )
  }

  // MARK: - Faults

  @Test
  func `names that two things are given are faults with a remedy`() throws {
    let model = ManagedObjectModel(entities: [
      EntityDescription(
        name: "HTTPCookie",
        attributes: [
          AttributeDescription(name: "userID", type: .string, columnName: "user"),
          AttributeDescription(name: "userId", type: .string, columnName: "user"),
          AttributeDescription(name: "x", type: .sql("int; DROP TABLE x")),
          AttributeDescription(name: "y", type: .string, derivationExpression: "now()"),
          AttributeDescription(
            name: "n",
            type: .integer16,
            derivationExpression: "length:(userID) + booksel.@count"
          ),
          AttributeDescription(name: "p", type: .string, derivationExpression: "p"),
          AttributeDescription(name: "q", type: .string, derivationExpression: "lower(userID"),
          AttributeDescription(
            name: "z",
            type: .string,
            validation: AttributeValidation(pattern: "\\p{L}+", isEnforced: true)
          ),
          AttributeDescription(
            name: "born",
            type: .calendarDate,
            validation: AttributeValidation(minimum: "5", isEnforced: true)
          ),
        ],
        fetchIndexes: [
          FetchIndexDescription(name: "i", elements: [.init(expression: "now()")]),
          FetchIndexDescription(
            name: "j",
            elements: [.init(propertyName: "userID")],
            partialPredicate: "userID > 3"
          ),
        ]
      ),
      EntityDescription(name: "Cookie", tableName: "c"),
      EntityDescription(name: "HttpCookie", tableName: "c"),
      EntityDescription(name: "Long", tableName: String(repeating: "l", count: 64)),
    ])

    let error = #expect(throws: ProjectionError.self) { try ModelProjection(model, schema: "s") }

    let words = try #require(error).diagnostics.map(\.description).joined(separator: "\n\n")
    expectGolden(words + "\n", named: "projection-faults.txt")
  }

  private static func pair(
    _ forth: RelationshipDescription,
    _ back: RelationshipDescription
  ) -> ManagedObjectModel {
    ManagedObjectModel(entities: [
      EntityDescription(name: "A", relationships: [forth]),
      EntityDescription(name: "B", relationships: [back]),
    ])
  }
}

extension Constraint {
  fileprivate var checkText: String? {
    if case .check(let condition, _) = definition { condition.text } else { nil }
  }
}

extension MigrationStep {
  /// The step as text: its preconditions, locks, statements and effects.
  var script: String {
    var lines: [String] = []
    for precondition in preconditions {
      lines.append("-- ask: \(precondition.requirement)\n\(precondition.query);")
    }
    for table in lockedTables { lines.append("-- lock: \(table.name) \(table.mode.name)") }
    for statement in statements {
      let hazards = statement.impact.allHazards.map(\.rawValue).joined(separator: ", ")
      lines.append((hazards.isEmpty ? "" : "-- \(hazards)\n") + "\(statement.sql);")
    }
    for object in retained {
      let names = [object.table, object.column].compactMap { $0?.name }.joined(separator: ".")
      lines.append("-- retained: \(names), restored by: \(object.restoration)")
    }
    for (before, after) in renamedRetained {
      lines.append(
        "-- renamed: \(before.table).\(before.column?.name ?? "") to "
          + "\(after.table).\(after.column?.name ?? "")"
      )
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
