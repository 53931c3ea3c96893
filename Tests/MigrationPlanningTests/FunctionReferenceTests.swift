import ModelLoading
import ModelMapping
import ObjectModel
import SQLSyntax
import TestSupport
import Testing

@testable import MigrationPlanning

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

// Foundation has a type of the name, too.
typealias Expression = ModelMapping.Expression

/// The page on functions says what the parser knows and what the compiler makes of it.
@Suite
struct FunctionReferenceTests {
  @Test
  func `the page has each name that the parser knows, and no other`() throws {
    let page = try FunctionPage()

    #expect(page.names(.function).sorted() == Expression.functionNames.sorted())
    #expect(page.names(.method).sorted() == Expression.methodNames.sorted())
    #expect(
      page.names(.aggregate).sorted()
        == KeyPathExpression.Aggregate.allCases.map(\.rawValue).sorted()
    )
    #expect(page.names(.variable).sorted() == Expression.variableNames.map { "$\($0)" }.sorted())
  }

  @Test(arguments: Expression.Function.allCases)
  func `a function takes as many arguments as its heading has`(
    function: Expression.Function
  ) throws {
    let entry = try #require(try FunctionPage().entry(of: function))

    let expected = function.takesCollection ? 1...1 : function.argumentCounts
    #expect(entry.argumentCounts == expected)
  }

  @Test(arguments: Expression.Function.allCases)
  func `a function is null when its entry says so`(function: Expression.Function) throws {
    let entry = try #require(try FunctionPage().entry(of: function))

    func isPresent(_ presence: [Bool]) -> Bool {
      Expression.function(function, presence.map { .keyPath(KeyPathExpression(["\($0)"])) })
        .isAlwaysPresent { $0.names == ["true"] }
    }
    let count = function.argumentCounts.lowerBound
    let all = isPresent(Array(repeating: true, count: count))
    let none = isPresent(Array(repeating: false, count: count))
    let some = isPresent([true] + Array(repeating: false, count: max(count - 1, 0)))
    if none {
      #expect(entry.text.contains("Never null."))
    } else if all {
      #expect(
        entry.text.contains(
          some && count > 1 ? "Null if all arguments are null." : "Null if an argument is null."
        )
      )
    } else {
      #expect(
        entry.text.contains("Never null.") || entry.text.contains("ull if ")
          || entry.text.contains("ull without ") || entry.text.contains("ull where ")
      )
    }
  }

  @Test
  func `the SQL of each example is what the compiler makes`() throws {
    let page = try FunctionPage()

    expectGolden(try page.withSQL(), at: page.file)
  }

  @Test
  func `each entry has an example, or says why it has none`() throws {
    let without = try FunctionPage().entries.filter { $0.example == nil }.flatMap(\.names)

    #expect(
      without == [
        "distanceToLocation:fromLocation:", ExpressionNames.nonNilValue,
        "fetchRequestForSourceEntityNamed:predicateString:",
        "fetchRequestForSourceEntityNamed:predicateString:includesSubentities:",
      ]
    )
  }
}

private enum ExpressionNames {
  static let nonNilValue = "_nonNilValueOrDefaultValueForAttribute:source:destination:"
}

/// The page on functions.
private struct FunctionPage {
  /// What names are names of.
  enum Kind {
    case function, method, aggregate, variable
  }

  struct Entry {
    var kind: Kind
    var names: [String]
    /// The text between the parentheses of the heading.
    var arguments: String
    var text = ""
    var example: String?

    var argumentCounts: ClosedRange<Int> {
      let parts = arguments.split(separator: ",").map { $0.filter { $0 != " " } }
      let least = parts.count { !$0.hasPrefix("[") && !$0.hasSuffix("…") }
      let most = parts.contains { $0.contains("…") } ? 100 : parts.count
      let isOneOrMore = parts.contains { $0.hasSuffix("…") && !$0.hasPrefix("[") }
      return (isOneOrMore ? least + 1 : least)...most
    }
  }

  let file: URL
  let lines: [String]
  private(set) var entries: [Entry] = []

  init() throws {
    file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
      .appending(path: "Sources/RemodelKit/Documentation.docc/Functions.md")
    lines = try String(contentsOf: file, encoding: .utf8)
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    var isOfMethods = false
    var isExample = false
    for line in lines {
      if line.hasPrefix("## ") {
        isOfMethods = line == "## Methods"
      } else if line.hasPrefix("### ") {
        entries.append(Self.headed(line, isOfMethods: isOfMethods))
      } else if line == "```text" {
        isExample = true
      } else if line.hasPrefix("```") {
        isExample = false
      } else if isExample {
        if let last = entries.indices.last, entries[last].example == nil {
          entries[last].example = line
        }
      } else if let last = entries.indices.last {
        entries[last].text += line
      }
    }
  }

  private static func headed(_ heading: String, isOfMethods: Bool) -> Entry {
    let spans = heading.split(separator: "`").enumerated().filter { $0.offset % 2 == 1 }
      .map { String($0.element) }
    let kind: Kind =
      switch spans[0].first {
      case "$": .variable
      case "@": .aggregate
      default: isOfMethods ? .method : .function
      }
    let arguments = spans[0].split(separator: "(", maxSplits: 1).dropFirst().first ?? ""
    return Entry(
      kind: kind,
      names: spans.map { String($0.prefix { $0 != "(" }) },
      arguments: String(arguments.dropLast(arguments.hasSuffix(")") ? 1 : 0))
    )
  }

  func names(_ kind: Kind) -> [String] { entries.filter { $0.kind == kind }.flatMap(\.names) }

  func entry(of function: Expression.Function) -> Entry? {
    entries.first { $0.kind == .function && $0.names == [function.rawValue] }
  }

  // MARK: - SQL

  /// Returns the page with the SQL of each example after it.
  func withSQL() throws -> String {
    let compiler = try ExampleCompiler(blocks("yaml"))
    var result: [String] = []
    var example: [String]?
    var isOldSQL = false
    for line in lines {
      if isOldSQL {
        isOldSQL = line != "```"
        continue
      }
      if line == "```postgresql" {
        isOldSQL = true
        continue
      }
      result.append(line)
      if line == "```text" {
        example = []
      } else if line == "```", let text = example {
        result += ["```postgresql", try compiler.sql(text.joined(separator: "\n")), "```"]
        example = nil
      } else {
        example?.append(line)
      }
    }
    return result.joined(separator: "\n")
  }

  private func blocks(_ language: String) -> [String] {
    var blocks: [String] = []
    var isOpen = false
    for line in lines {
      if line == "```\(language)" {
        isOpen = true
        blocks.append("")
      } else if line == "```" {
        isOpen = false
      } else if isOpen {
        blocks[blocks.count - 1] += line + "\n"
      }
    }
    return blocks
  }
}

/// Compiles examples over the models of the page.
private struct ExampleCompiler {
  private let version: PlannedVersion
  private let mappingModel: MappingModel
  private let position: Int

  init(_ blocks: [String]) throws {
    let model = try ModelLoader.load(yaml: Array(blocks[0].utf8), path: "1").model
    version = try PlannedVersion(model)
    mappingModel = try MappingLoader.load(yaml: Array(blocks[1].utf8), name: "1", path: "1")
      .mappingModel
    position = try #require(
      mappingModel.entityMappings.firstIndex { $0.destinationEntityName == "Book" }
    )
  }

  func sql(_ text: String) throws -> String {
    let expression = try Expression(parsing: text)
    let sql =
      switch expression {
      case .destinationInstances, .lookup: try relationship(expression)
      default: try value(expression)  // All others are values.
      }
    // Whitespace that no page can show.
    return sql.replacing(" \t\n\r\u{0B}\u{0C}", with: #" \t\n\r\v\f"#)
  }

  private func value(_ expression: Expression) throws -> String {
    var model = mappingModel
    model.entityMappings[position].attributeMappings.append(
      PropertyMapping(name: "price", valueExpression: .expression(expression))
    )
    model = model.givingUserInfo(["shop": "7"])
      .withConstants(from: version.projection.model, to: version.projection.model)
    let mapping = model.entityMappings[position]
    let own = try #require(mapping.attributeMappings.last?.valueExpression)
    guard case .expression(let expression) = own else { return "" }
    let projection = version.projection
    let book = try #require(projection.model.entity(named: "Book"))
    let chapter = try #require(projection.model.entity(named: "Chapter"))
    var row = RowExpression(
      projection,
      book,
      row: "\(MappedRows.sourceAlias).",
      computesDerived: false
    )
    row.bind("each", chapter, row: "\(MappedRows.eachAlias).")
    row.destination = DestinationRow(
      mapping: mapping,
      attributes: projection.model.effectiveAttributes(of: book),
      madeValue: { _ in nil }
    )
    return try row.value(expression).sql.text
  }

  private func relationship(_ expression: Expression) throws -> String {
    var model = mappingModel
    model.entityMappings[position].relationshipMappings = [
      PropertyMapping(name: "author", valueExpression: .expression(expression))
    ]
    let step = try MigrationPlanner().step(
      from: version,
      to: version,
      by: CompleteMapping(
        completing: model,
        from: version.projection.model,
        to: version.projection.model
      )
    )
    let table = try #require(step.copy?.tables.first { $0.name == "book" })
    let column = try #require(table.columns.firstIndex(of: "author"))
    return table.feeds[0].values[column].text
  }
}
