import Diagnostics
import ModelMapping
import ObjectModel
import PostgresClient
import SQLSyntax
import TestSupport
import Testing

@testable import MigrationPlanning

/// A change of a model with derived attributes.
struct DerivedChange: CustomTestStringConvertible, Sendable {
  let testDescription: String
  let edit: @Sendable (inout DerivedModel) -> Void
  var rename: (@Sendable (inout ModelDraft) -> Void)?

  static let all: [DerivedChange] = [
    DerivedChange(testDescription: "nothing", edit: { _ in }),
    DerivedChange(testDescription: "all are removed", edit: { $0.bookDerivations = [] }),
    DerivedChange(
      testDescription: "expressions change",
      edit: {
        $0.bookDerivations[0].2 = "lowercase:(author.name)"
        $0.bookDerivations[1].2 = "tags.@count"
        $0.bookDerivations[2].2 = "uppercase:(title)"
      }
    ),
    DerivedChange(
      testDescription: "kinds change",
      edit: {
        $0.bookDerivations[0].2 = "uppercase:(title)"
        $0.bookDerivations[2].2 = "author.name"
        $0.bookDerivations[1].2 = "length:(title)"
        $0.bookDerivations[5].2 = "chapters.@count"
      }
    ),
    DerivedChange(
      testDescription: "types change",
      edit: {
        $0.bookDerivations[1].1 = .integer64
        $0.bookDerivations[5].1 = .double
        $0.bookDerivations[0].1 = .varchar(100)
        $0.bookDerivations[2].1 = .uri
      }
    ),
    DerivedChange(testDescription: "what is read changes", edit: { $0.pagesType = .integer64 }),
    DerivedChange(
      testDescription: "properties are renamed",
      edit: { _ in },
      rename: { draft in
        draft.renameEntities(["Chapter": "Part", "Author": "Writer"])
        guard let part = draft.entities.firstIndex(where: { $0.name == "Part" }) else { return }
        draft.renameProperties(["pages": "leaves"], ofEntityAt: part)
        draft.replaceInDerivations(["pages": "leaves"])
      }
    ),
    DerivedChange(
      testDescription: "properties change places",
      edit: { _ in },
      rename: { draft in
        guard let book = draft.entities.firstIndex(where: { $0.name == "Book" }) else { return }
        draft.renameProperties(
          ["chapterCount": "titleLength", "titleLength": "chapterCount", "title": "name"],
          ofEntityAt: book
        )
        draft.replaceInDerivations(["title": "name"])
      }
    ),
  ]
}

@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct DerivedMigrationTests {
  @Test(arguments: RandomCases.one(in: 2, of: DerivedChange.all), [RemovalPolicy.retain, .drop])
  func `a migrated database derives as a fresh one, there and back`(
    change: DerivedChange,
    removals: RemovalPolicy
  ) async throws {
    let before = try PlannedVersion(DerivedModel().model, named: "1")
    var changed = DerivedModel()
    change.edit(&changed)
    var draft = ModelDraft(after: changed.model)
    change.rename?(&draft)
    let after = try PlannedVersion(draft.model, named: "2")

    try await Self.run([before, after, before], removals, change.testDescription)
  }

  @Test(arguments: [RemovalPolicy.retain, .drop])
  func `derived attributes come to plain ones and go again`(removals: RemovalPolicy) async throws {
    let derived = try PlannedVersion(DerivedModel().model, named: "2")
    var draft = ModelDraft(after: DerivedModel().model)
    draft.makeAllPlain()
    let plain = try PlannedVersion(draft.model, named: "1")

    try await Self.run([plain, derived, plain], removals, "plain and derived")
  }

  @Test
  func `values that were computed stay when the attribute is plain again`() async throws {
    let derived = try PlannedVersion(DerivedModel().model, named: "1")
    var draft = ModelDraft(after: DerivedModel().model)
    draft.makeAllPlain()
    let plain = try PlannedVersion(draft.model, named: "2")
    let query: SQLFragment = """
      SELECT _id, author_name, chapter_count, clean_title, page_sum, tag_weight, title_length, \
      novel_longest, novel_loud_title FROM s.book ORDER BY _id
      """

    try await TestServer.withDatabase { url in
      let connection = try PostgresConnection(to: .url(url))
      try connection.prepareSession()
      var migration = LiveMigration(MigrationPlanner(), name: "plain again")
      try migration.create(derived, connection)
      let before = try connection.query(query).rows
      let mapping = try CompleteMapping(
        from: derived.projection.model,
        to: plain.projection.model
      )
      try migration.migrate(from: derived, to: plain, by: mapping, connection)

      #expect(try connection.query(query).rows == before)
      #expect(before.contains { $0.compactMap(\.self).count > 5 })
    }
  }

  @Test
  func `written values are retained when the attribute becomes derived`() async throws {
    let plain = Samples.model(
      "Note",
      AttributeDescription(name: "text", type: .string),
      AttributeDescription(name: "loud", type: .string)
    )
    let derived = Samples.model(
      "Note",
      AttributeDescription(name: "text", type: .string),
      AttributeDescription(name: "loud", type: .string, derivationExpression: "uppercase:(text)")
    )
    let first = try PlannedVersion(plain, named: "1")
    let second = try PlannedVersion(derived, named: "2")

    try await TestServer.withDatabase { url in
      let connection = try PostgresConnection(to: .url(url))
      try DerivedAttributeTests.create(first, connection)
      try connection.execute("INSERT INTO s.note (text, loud) VALUES ('a', 'by hand')")
      let mapping = try CompleteMapping(from: plain, to: derived)
      let step = try MigrationPlanner().step(from: first, to: second, by: mapping)
      for statement in step.statements { try connection.execute(statement.sql) }

      let row = try connection.query("SELECT loud, remodel_retained_1_loud AS old FROM s.note")
      #expect(row.first?["loud"] == "A")
      #expect(row.first?["old"] == "by hand")
      #expect(step.retained.map(\.column) == ["remodel_retained_1_loud"])
    }
  }

  @Test
  func `a stamp stays what it was while a migration fills other columns`() async throws {
    let stamp = AttributeDescription(name: "changed", type: .date, derivationExpression: "now()")
    var number = AttributeDescription(name: "n", type: .integer32)
    let before = try PlannedVersion(Samples.model("Note", number, stamp), named: "1")
    number.isOptional = false
    number.defaultValue = .integer(7)
    let after = try PlannedVersion(Samples.model("Note", number, stamp), named: "2")

    try await TestServer.withDatabase { url in
      let connection = try PostgresConnection(to: .url(url))
      try DerivedAttributeTests.create(before, connection)
      try connection.execute("INSERT INTO s.note (n) VALUES (NULL)")
      let written = try connection.query("SELECT changed::text AS c FROM s.note").first?["c"]
      let mapping = try CompleteMapping(
        from: before.projection.model,
        to: after.projection.model
      )
      let step = try MigrationPlanner().step(from: before, to: after, by: mapping)
      for statement in step.statements { try connection.execute(statement.sql) }

      let row = try connection.query("SELECT changed::text AS c, n FROM s.note").first
      #expect(row?["n"] == "7")
      #expect(row?["c"] == written)
      try connection.execute("UPDATE s.note SET n = 8")
      #expect(try connection.query("SELECT changed::text AS c FROM s.note").first?["c"] != written)
    }
  }

  // MARK: - Parts

  private static func run(
    _ versions: [PlannedVersion],
    _ removals: RemovalPolicy,
    _ name: String
  ) async throws {
    try await TestServer.withDatabase { url in
      let connection = try PostgresConnection(to: .url(url))
      try connection.prepareSession()
      var migration = LiveMigration(
        MigrationPlanner(removals: removals),
        name: "\(name), \(removals)"
      )
      try migration.create(versions[0], connection)
      for (source, destination) in zip(versions, versions.dropFirst()) {
        let mapping = try CompleteMapping(
          from: source.projection.model,
          to: destination.projection.model,
          earlierVersions: versions.map(\.projection.model)
        )
        try migration.migrate(from: source, to: destination, by: mapping, connection)
      }
    }
  }
}

extension ModelDraft {
  fileprivate mutating func makeAllPlain() {
    for entity in entities.indices {
      for attribute in entities[entity].attributes.indices {
        entities[entity].attributes[attribute].derivationExpression = nil
      }
    }
  }

  /// Derivations name properties as text.
  fileprivate mutating func replaceInDerivations(_ names: [String: String]) {
    for entity in entities.indices {
      for attribute in entities[entity].attributes.indices {
        guard let text = entities[entity].attributes[attribute].derivationExpression else {
          continue
        }
        entities[entity].attributes[attribute].derivationExpression =
          text.split(separator: ".").map { part in
            var part = String(part)
            for (old, new) in names {
              if part == old { part = new }
              part.replace("(\(old))", with: "(\(new))")
            }
            return part
          }.joined(separator: ".")
      }
    }
  }
}
