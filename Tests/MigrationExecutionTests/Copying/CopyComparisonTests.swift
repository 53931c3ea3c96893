import PostgresClient
import SQLSyntax
import TestSupport
import Testing

@testable import MigrationPlanning

/// What the comparison of a copy with what it is to be finds.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct CopyComparisonTests {
  /// A fault of a copy, and the differences found.
  enum Fault: CaseIterable {
    case none
    case missing
    case surplus
    case otherValue
    case noValue
    case otherText
    case missingLink

    var statement: SQLFragment? {
      switch self {
      case .none: nil
      case .missing: "DELETE FROM staging.book WHERE _id = 7"
      case .surplus: "INSERT INTO staging.book (_id, title) VALUES (7000, 'Title')"
      case .otherValue: "UPDATE staging.book SET gross = gross + 0.01 WHERE _id = 7"
      case .noValue: "UPDATE staging.book SET country = NULL WHERE _id = 7"
      // Types without equality are compared as well.
      case .otherText: "UPDATE staging.book SET notes = '{}' WHERE _id = 7"
      case .missingLink: "DELETE FROM staging.book_authors WHERE book = 7"
      }
    }

    var finding: [String] {
      switch self {
      case .none: []
      case .missing: ["book: missing 7"]
      case .surplus: ["book: surplus 7000"]
      case .otherValue, .noValue, .otherText: ["book: changed 7"]
      case .missingLink: ["book_authors: missing 7"]
      }
    }
  }

  @Test(arguments: Fault.allCases)
  func `rows that differ are found, and how they differ`(fault: Fault) async throws {
    try await TestServer.withDatabase { url in
      try fillBookshop(url)
      let driver = try CopyDriver(url, BookshopCopy())
      try driver.prepare()
      try driver.copyAll(size: 50)
      if let statement = fault.statement { try driver.connection.execute(statement) }

      #expect(findings(try driver.differences()) == fault.finding)
    }
  }

  @Test(arguments: Fault.allCases)
  func `a table agrees with its sources if no row of it differs`(fault: Fault) async throws {
    try await TestServer.withDatabase { url in
      try fillBookshop(url)
      let copy = BookshopCopy()
      let driver = try CopyDriver(url, copy)
      try driver.prepare()
      try driver.copyAll(size: 50)
      if let statement = fault.statement { try driver.connection.execute(statement) }

      var table = try #require(copy.plan.tables.first { $0.name == "book" })
      table.types["gross"] = "numeric(12,2)"
      let query = try #require(
        copy.statements.agreement(of: table, from: "2", to: nil, leavesPendingOut: false)
      )
      let agrees = try driver.connection.query(query).first?.boolean("agrees")

      #expect(agrees == !fault.finding.contains { $0.hasPrefix("book:") })
    }
  }

  @Test
  func `a row that would be there twice is found`() async throws {
    try await TestServer.withDatabase { url in
      try fillBookshop(url)
      let copy = BookshopCopy()
      let driver = try CopyDriver(url, copy)
      try driver.prepare()
      try driver.copyAll(size: 50)
      var table = try #require(copy.plan.tables.first { $0.name == "book" })
      var feed = try #require(table.feeds.first)
      feed.conditions.append("b._id = 7")
      table.feeds.append(feed)

      #expect(findings(try driver.differences(in: [table])) == ["book: repeated 7"])
    }
  }

  /// The table, the kind of difference and the unit of each.
  private func findings(_ differences: [String]) -> [String] {
    differences.map { $0.split(separator: " ").prefix(3).joined(separator: " ") }
  }
}
