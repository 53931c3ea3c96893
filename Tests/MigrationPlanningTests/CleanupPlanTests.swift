import ObjectModel
import SQLSyntax
import TestSupport
import Testing

@testable import MigrationPlanning

/// What a cleanup is planned to do, without a database.
@Suite
struct CleanupPlanTests {
  private static let entries = [
    entry("book", "pages", days: 9), entry("book", "isbn", version: "2", days: 1),
    entry("shelf", nil, version: "2", days: 1), entry("shelf", "note", days: 9),
  ]

  private static func entry(
    _ table: SQLIdentifier,
    _ column: SQLIdentifier?,
    version: String = "1",
    days: Int
  ) -> RetainedEntry {
    RetainedEntry(
      RetainedObject(table: table, column: column, version: version),
      retainedAt: "",
      age: .seconds(days * 86_400)
    )
  }

  private func plan(
    _ selection: CleanupSelection = CleanupSelection(),
    dependents: [DependentObject] = [],
    states: [RetainedObject: RetainedState] = [:]
  ) throws -> CleanupPlan {
    let version = try PlannedVersion(
      ManagedObjectModel(entities: [EntityDescription(name: "Book")]),
      named: "3"
    )
    return CleanupPlan(
      selection,
      of: Self.entries,
      at: version,
      dependents: dependents,
      states: states
    )
  }

  private func statements(_ plan: CleanupPlan) -> [String] {
    plan.steps.flatMap(\.statements).map(\.sql.text)
  }

  @Test
  func `columns of a table are dropped together, and the objects of a table with it`() throws {
    let plan = try plan()

    #expect(
      statements(plan) == [
        "ALTER TABLE \"s\".\"book\"\n  DROP COLUMN \"pages\",\n  DROP COLUMN \"isbn\"",
        "DROP TABLE \"s\".\"shelf\"",
      ]
    )
    #expect(plan.removals.map(\.fate) == [.dropped, .dropped, .dropped, .droppedWithTable])
    #expect(plan.steps.map(\.droppedRetained.count) == [2, 2])
    #expect(plan.steps.allSatisfy { $0.kind == .cleanup && $0.lockedTables.count == 1 })
    let impact = plan.steps[1].statements[0].impact
    #expect(impact.locks == ["shelf": .accessExclusive])
    #expect(impact.allHazards == [.breaksPreviousRelease, .deletesData])
  }

  @Test(arguments: [
    (CleanupSelection(olderThan: .seconds(7 * 86_400)), ["pages", "note"]),
    (CleanupSelection(versions: ["2"]), ["isbn", "-", "note"]),
    (CleanupSelection(olderThan: .seconds(7 * 86_400), versions: ["2"]), []),
  ])
  func `age and version select`(selection: CleanupSelection, columns: [String]) throws {
    let plan = try plan(selection)

    #expect(plan.removals.map { $0.entry.object.column?.name ?? "-" } == columns)
  }

  @Test
  func `a missing object is removed from the list with its parts, and nothing is run`() throws {
    let plan = try plan(states: [Self.entries[2].object: .gone])

    #expect(plan.removals.map(\.fate) == [.dropped, .dropped, .forgotten, .forgotten])
    #expect(plan.steps[1].statements.isEmpty)
    #expect(plan.steps[1].lockedTables.isEmpty)
  }

  @Test
  func `what is depended on or something else is in no statement`() throws {
    let view = DependentObject(
      name: "view s.v",
      kind: .view,
      uses: [.column("book", "pages"), .table("shelf")],
      recreation: .impossible("")
    )

    let plan = try plan(
      dependents: [view],
      states: [Self.entries[1].object: .replaced(.otherType("date", expected: ["text"]))]
    )

    #expect(
      plan.removals.map(\.fate) == [
        .depended(["view s.v"]), .replaced(.otherType("date", expected: ["text"])),
        .depended(["view s.v"]),
      ]
    )
    #expect(plan.steps.isEmpty)
  }

  @Test
  func `records of early tools are completed by the version that had the object`() {
    let schema = DatabaseSchema(
      name: "s",
      tables: [
        Table(name: "book", columns: [Column(name: "pages", type: "integer")]),
        Table(name: "book_club", columns: [Column(name: "_id", type: "bigint")]),
      ]
    )
    func shape(_ table: SQLIdentifier, _ column: SQLIdentifier? = nil) -> RetainedShape {
      RetainedShape(of: RetainedObject(table: table, column: column, version: "1"), in: [schema])
    }

    #expect(shape("book") == .table([["pages"]]))
    #expect(shape("remodel_retained_1_book") == .table([["pages"]]))
    #expect(shape("remodel_retained_1_book_2") == .table([["pages"]]))
    #expect(shape("remodel_retained_1_book_club") == .table([["_id"]]))
    #expect(shape("remodel_retained_1_novel") == .table([]))
    // The table may have another name by now.
    #expect(shape("volume", "pages") == .column(types: ["integer"]))
    #expect(shape("volume", "remodel_retained_1_pages") == .column(types: ["integer"]))
    #expect(shape("volume", "isbn") == .column(types: []))
  }
}
