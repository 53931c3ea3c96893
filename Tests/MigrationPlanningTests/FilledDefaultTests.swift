import ModelLoading
import ModelMapping
import ObjectModel
import SQLSyntax
import TestSupport
import Testing

@testable import MigrationPlanning

/// Columns of large tables that have a default in place of nulls from now on.
@Suite
struct FilledDefaultTests {
  @Test
  func `such a column is filled, and its table neither copied nor updated`() throws {
    let step = try step(
      "{ title: string, pages: integer32? }",
      "{ title: string, pages: { type: integer32, default: 7 } }"
    )

    #expect(filled(step) == ["pages"])
    #expect(!updates(step))
  }

  @Test
  func `one that is in an index is updated`() throws {
    let indexes = "\n    indexes: { byPages: [pages] }"

    let step = try step(
      "{ pages: integer32? }" + indexes,
      "{ pages: { type: integer32, default: 7 } }" + indexes
    )

    #expect(filled(step) == [])
    #expect(updates(step))
    #expect(
      step.onlineObstacle == """
        table "book" is not small, and others would have to wait for it to fill column "pages" of table \
        "book", since the table cannot be filled in place: column "pages" of table "book" is in index \
        "book_pages_idx", which would be missing for a while
        """
    )
  }

  @Test
  func `one that gets the name of another is updated`() throws {
    let step = try step(
      "{ a: string?, b: string? }",
      """
      { a: { type: string, default: n, renamingIdentifier: b }, \
      b: { type: string?, renamingIdentifier: a } }
      """
    )

    #expect(filled(step) == [])
    #expect(updates(step))
  }

  @Test
  func `a table that cannot be filled keeps no other from it`() throws {
    let other = """

        Shelf:
          attributes: { place: integer32? }
          indexes: { byPlace: [place] }
      """

    let step = try step(
      "{ pages: integer32? }" + other,
      "{ pages: integer64? }"
        + other.replacing("integer32?", with: "{ type: integer32, default: 7 }")
    )

    #expect(filled(step) == ["pages"])
    #expect(updates(step))
  }

  @Test
  func `one of two tables is filled where the other is updated`() throws {
    let shelf = """

        Shelf:
          attributes: { place: integer32? }
          indexes: { byPlace: [place] }
      """

    let step = try step(
      "{ pages: integer32? }" + shelf,
      ("{ pages: integer32? }" + shelf).replacing(
        "integer32?",
        with: "{ type: integer32, default: 7 }"
      )
    )

    #expect(filled(step) == ["pages"])
    #expect(step.onlineObstacle?.hasPrefix("table \"shelf\" is not small") == true)
    #expect(step.onlineObstacle?.contains("filled in place: column \"place\"") == true)
  }

  @Test
  func `an unfinished fill of a small table has the same columns`() throws {
    func step(madeTables: Set<SQLIdentifier>) throws -> MigrationStep {
      try self.step(
        "{ pages: integer32, note: string? }",
        "{ pages: integer32, note: { type: string, default: n }, words: integer32 }",
        computing: "$source.pages * 300"
      ) { planner in
        planner.smallTables = ["book"]
        planner.madeTables = madeTables
      }
    }

    #expect(try filled(step(madeTables: [])) == ["words"])
    #expect(try filled(step(madeTables: ["book"])) == ["words"])
  }

  // MARK: - Planning

  /// Plans a step that fills, between models with an entity Book.
  private func step(
    _ before: String,
    _ after: String,
    computing words: String? = nil,
    _ change: (inout MigrationPlanner) -> Void = { _ in }
  ) throws -> MigrationStep {
    let models = try [before, after].map { attributes in
      let text = "remodel: 1\nentities:\n  Book:\n    attributes: \(attributes)\n"
      return try ModelLoader.load(yaml: Array(text.utf8), path: "Book.yaml").model
    }
    var mapping = try CompleteMapping(from: models[0], to: models[1])
    if let words {
      let text = """
        remodelMapping: 1
        source: "1"
        destination: "2"
        entities:
          - source: Book
            destination: Book
            attributes: { words: '\(words)' }
        """
      let written = try MappingLoader.load(yaml: Array(text.utf8), name: "1-2", path: "1-2.yaml")
      mapping = try CompleteMapping(
        completing: written.mappingModel,
        from: models[0],
        to: models[1]
      )
    }
    var planner = MigrationPlanner(strategy: .filled)
    change(&planner)
    return try planner.step(
      from: PlannedVersion(models[0], named: "1"),
      to: PlannedVersion(models[1], named: "2"),
      by: mapping
    )
  }

  private func filled(_ step: MigrationStep) -> [String] {
    (step.copy?.fills ?? []).flatMap(\.columns).map(\.place.column.name).sorted()
  }

  private func updates(_ step: MigrationStep) -> Bool {
    step.operations.contains { operation in
      guard case .updateRows = operation else { return false }
      return true
    }
  }
}
