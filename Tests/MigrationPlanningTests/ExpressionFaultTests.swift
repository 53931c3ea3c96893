import Diagnostics
import ModelMapping
import ObjectModel
import SQLSyntax
import TestSupport
import Testing

@testable import MigrationPlanning

/// What has no meaning in the server is refused in words that help.
@Suite
struct ExpressionFaultTests {
  private static let refused: [(String, AttributeType)] = [
    ("title", .integer32), ("number", .string), ("title", .date), ("'yes'", .boolean),
    ("70000", .integer16), ("'c'", .enumeration(["a", "b"])), ("author", .integer64),
    ("price", .uuid), ("1", .composite("c")),
  ]

  @Test
  func `every fault is the golden one`() throws {
    let projection = try PlannedVersion(ExpressionModel.model).projection
    let instances = "destinationInstancesForEntityMappingNamed:sourceInstances:"
    var texts = [
      "titel", "author.title", "title.x", "author.books", "author.books.chapters.@count",
      "$destination.a",
      "$manager", "title + 1", "sum:(number)", "sum:(chapters.heading)",
      "TERNARY(number > 3, 1, 'x')",
      "coalesce(number, title)", "fans[0]", "number[0]", "{1, 2}",
      "SUBQUERY(number, $x, $x > 1).@sum",
      "SUBQUERY(chapters, $c, $c.pages > 1)", "FUNCTION($manager, '\(instances)', 'M', $source)",
      "lookup('M', number)", "FUNCTION($entityPolicy, 'icon')", "CAST(title, 'NSData')",
      "distanceToLocation:fromLocation:(title, title)", "regexReplace(title, note, '')",
      "SQL('${source.Bok}')", "SQL('${destination.Book}')", "CAST(author, 'NSNumber')",
      "split(title, ',')", "bitwiseAnd:with:(weight, 1)",
    ]
    let selector = "fetchRequestForSourceEntityNamed:predicateString:"
    texts.append(
      "FETCH(FUNCTION($manager, '\(selector)', 'Autor', 'a = 1'), $manager.sourceContext, NO).@count"
    )
    var words = try texts.map { text in
      var row = try ExpressionModel.row(projection)
      let fault = #expect(throws: ExpressionFault.self) { try row.value(Expression(parsing: text)) }
      return fault?.diagnostic(about: text).description ?? text
    }
    words += try Self.refused.map { text, type in
      var row = try ExpressionModel.row(projection)
      let attribute = AttributeDescription(name: "size", type: type)
      let fault = #expect(throws: ExpressionFault.self) {
        try row.assignment(Expression(parsing: text), to: attribute)
      }
      return fault?.diagnostic(about: text, of: "size", in: "BookToBook").description ?? text
    }
    words += try [
      "ANY number = 1", "title > 3", "title LIKE note", "number ==[c] 3", "isNew < YES",
    ].map {
      text in
      var row = try ExpressionModel.row(projection)
      let fault = #expect(throws: ExpressionFault.self) {
        try row.condition(Predicate(parsing: text))
      }
      return fault?.diagnostic(about: text).description ?? text
    }

    expectGolden(words.joined(separator: "\n\n") + "\n", named: "expression-faults.txt")
  }

  @Test(arguments: [
    "$source.title", "SELF", "random()", "uuid()", "sum:({number, 1})", "chapters[0].pages",
    "SUBQUERY(chapters, $c, $c.pages > 1).@count", "SQL('1')", "lookup('M', number)",
    "CAST(printed, 'NSString')", "TERNARY(ANY chapters.pages > 1, 1, 2)", "author.books.@count",
    "TERNARY(title IN note, 1, 2)",
  ])
  func `a derived attribute is about one row`(text: String) throws {
    let projection = try PlannedVersion(ExpressionModel.model).projection
    let book = try #require(projection.model.entity(named: "Book"))
    var row = RowExpression(projection, book, computesDerived: true, breadth: .row)

    #expect(throws: ExpressionFault.self) { try row.value(Expression(parsing: text)) }
  }

  @Test(arguments: [
    "TERNARY(number > 3, trim(title), 'x')", "coalesce(nullIf(number, 3), 7)", "sqrt(number)",
    "concat(title, number)", "regexReplace(title, 'a', 'b')", "CAST(number, 'NSString')",
  ])
  func `a derived attribute may use every function of one row`(text: String) throws {
    let projection = try PlannedVersion(ExpressionModel.model).projection
    let book = try #require(projection.model.entity(named: "Book"))
    var row = RowExpression(projection, book, computesDerived: true, breadth: .row)

    let value = try row.value(Expression(parsing: text))

    #expect(!value.sql.text.contains("SELECT"))
    #expect(row.ownReads.paths.isEmpty && !row.ownReads.columns.isEmpty)
  }

  @Test(arguments: [
    ("FUNCTION(FUNCTION(", "title", ", 'stringValue'), 'intValue')", 45),
    ("CAST(CAST(", "title", ", 'NSString'), 'NSNumber')", 45),
    ("TERNARY(title ENDSWITH ", "title", ", 'a', 'b')", 90),
  ])
  func `what is nested does not double`(parts: (String, String, String, Int)) throws {
    let text =
      String(repeating: parts.0, count: parts.3) + parts.1
      + String(repeating: parts.2, count: parts.3)
    var row = try ExpressionModel.row(PlannedVersion(ExpressionModel.model).projection)

    let value = try row.value(Expression(parsing: text))

    #expect(value.sql.text.utf8.count < 40_000)
  }

  // MARK: - What is read

  @Test
  func `an expression shows its reads, row by row`() throws {
    let projection = try PlannedVersion(ExpressionModel.model).projection
    var row = try ExpressionModel.row(projection)
    _ = try row.value(
      Expression(
        parsing: "SUBQUERY(author.books, $b, ANY $b.chapters.pages > $each.pages + number).@count"
      )
    )

    #expect(row.ownReads.columns == ["author", "number"])
    #expect(row.reads["each"].columns == ["pages"])
    #expect(row.ownReads.paths.map(\.hops.count) == [2, 3, 3])
    #expect(row.ownReads.paths.last?.value == "pages")
    #expect(!row.isOpaque && !row.isVolatile && !row.readsClock)
  }

  @Test
  func `an expression shows whether it is stable`() throws {
    let projection = try PlannedVersion(ExpressionModel.model).projection
    func row(_ text: String) throws -> RowExpression {
      var row = try ExpressionModel.row(projection)
      _ = try row.value(Expression(parsing: text))
      return row
    }

    #expect(try row("random() * number").isVolatile)
    #expect(try row("uuid()").isVolatile)
    #expect(try row("now()").readsClock)
    #expect(try row("SQL('1')").isOpaque)
    #expect(try !row("number").isOpaque)
  }

  @Test
  func `placeholders are what the caller says, but for the row's own`() throws {
    let projection = try PlannedVersion(ExpressionModel.model).projection
    let book = try #require(projection.model.entity(named: "Book"))
    var row = RowExpression(projection, book, row: "x.", computesDerived: true) { placeholder in
      placeholder == .destinationEntity("Author") ? "d.author" : nil
    }

    let value = try row.value(
      Expression(
        parsing:
          "SQL('${source.Book.title} ${source.Chapter.pages} ${source.Author} ${destination.Author}')"
      )
    )

    #expect(value.sql.text == "(x.\"title\" \"pages\" \"s\".\"author\" d.author\n)")
  }
}
