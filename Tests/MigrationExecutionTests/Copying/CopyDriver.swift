import MigrationPlanning
import PostgresClient
import SQLSyntax

/// Carries out a copy in the order that the protocol asks for, over a connection.
final class CopyDriver {
  let connection: PostgresConnection
  let copy: BookshopCopy
  var statements: CopyStatements { copy.statements }

  init(_ url: String, _ copy: BookshopCopy) throws {
    let connection = try PostgresConnection(to: .url(url))
    try connection.prepareSession()
    self.connection = connection
    self.copy = copy
  }

  /// Makes the tables and begins to capture, by statements that a test of the tests may change.
  func prepare(_ mutation: (SQLFragment) -> SQLFragment = { $0 }) throws {
    try inTransaction("BEGIN", "COMMIT") {
      try connection.execute(BookshopCopy.stagedTables)
      for source in copy.plan.sources {
        for statement in SourceGuard(of: source, in: copy.plan).installation(isOnline: true) {
          try connection.execute(mutation(statement))
        }
      }
    }
  }

  /// Copies everything in ranges of so many keys.
  func copyAll(size: Int, after: (CopiedTable) throws -> Void = { _ in }) throws {
    for map in copy.plan.maps {
      let domain = QualifiedName(schema: copy.plan.schema, name: map.source)
      for (start, end) in try ranges(domain, map.domainColumn, map.keyType, size) {
        try inTransaction("BEGIN", "COMMIT") {
          _ = try last(statements.fill(map, from: start, to: end))
        }
      }
    }
    for table in copy.plan.tables {
      for feed in table.feeds {
        for (start, end) in try ranges(feed.domain, feed.domainColumn, table.unitType, size) {
          try inTransaction("BEGIN", "COMMIT") {
            _ = try last([statements.copy(feed, of: table, from: start, to: end)])
          }
        }
      }
      try after(table)
    }
  }

  private func ranges(
    _ domain: QualifiedName,
    _ column: SQLIdentifier,
    _ type: SQLTypeName,
    _ size: Int
  ) throws -> [(start: String?, end: String?)] {
    var ranges: [(start: String?, end: String?)] = []
    var start: String?
    repeat {
      let query = statements.boundaries(
        of: domain,
        column: column,
        type: type,
        after: start,
        size: size
      )
      let end = try connection.query(query).value
      ranges.append((start, end))
      start = end
    } while start != nil
    return ranges
  }

  /// Applies entries in a transaction of its own and returns their number.
  @discardableResult
  func apply(limit: Int?) throws -> Int {
    try inTransaction("BEGIN ISOLATION LEVEL REPEATABLE READ", "COMMIT") {
      try last(statements.apply(limit: limit)).first?.integer("entries") ?? 0
    }
  }

  /// Returns the differences, without those that follow from entries in the queues.
  func differences(in tables: [CopiedTable]? = nil) throws -> [String] {
    try (tables ?? copy.plan.tables).flatMap { table in
      try inTransaction("BEGIN ISOLATION LEVEL REPEATABLE READ", "ROLLBACK") {
        for statement in statements.pendingUnits { try connection.execute(statement) }
        return describe(try differences(of: table, leavesPendingOut: true), table)
      }
    }
  }

  /// Returns the differences at the end, without writers; the protocol requires empty queues.
  func cutOver(isDrained: Bool = true) throws -> [String] {
    try inTransaction("BEGIN", "COMMIT") {
      try connection.execute(
        "LOCK TABLE public.book, public.publisher, public.sale IN ACCESS EXCLUSIVE MODE"
      )
      if isDrained {
        _ = try last(statements.apply(limit: nil))
        for table in copy.plan.tables {
          let found = describe(try last(statements.comparisonOfApplied(table)), table)
          guard found.isEmpty else { return found }
        }
        guard try connection.query(statements.backlog(atMost: 10)).value == "0" else {
          return ["the queues are not empty"]
        }
      }
      return try finalDifferences()
    }
  }

  private func finalDifferences() throws -> [String] {
    try copy.plan.tables.flatMap { table in
      try connection.execute("DROP TABLE IF EXISTS pg_temp.\(derivedName(table))")
      return describe(try differences(of: table, leavesPendingOut: false), table)
    }
  }

  private func differences(of table: CopiedTable, leavesPendingOut: Bool) throws -> QueryResult {
    try last(
      statements.differences(of: table, from: nil, to: nil, leavesPendingOut: leavesPendingOut)
    )
  }

  private func derivedName(_ table: CopiedTable) -> SQLIdentifier {
    SQLIdentifier("derived_\(table.name.name)")
  }

  private func describe(_ result: QueryResult, _ table: CopiedTable) -> [String] {
    result.rows.map { row in
      "\(table.name.name): " + row.map { $0 ?? "NULL" }.joined(separator: " ")
    }
  }

  private func last(_ statements: [SQLFragment]) throws -> QueryResult {
    var result = QueryResult(columns: [], rows: [])
    for statement in statements { result = try connection.query(statement) }
    return result
  }

  private func inTransaction<Result>(
    _ begin: SQLFragment,
    _ end: SQLFragment,
    _ body: () throws -> Result
  ) throws -> Result {
    // We give way before the server looks for deadlocks, so that no writer is chosen to.
    var attempts = 0
    while true {
      attempts += 1
      do {
        try connection.execute(begin)
        try connection.execute("SET LOCAL lock_timeout = '300ms'")
        let result = try body()
        try connection.execute(end)
        return result
      } catch {
        _ = try? connection.execute("ROLLBACK")
        let isLocked = (error as? PostgresError)?.sqlState == .lockNotAvailable
        guard isLocked, attempts < 200 else { throw error }
      }
    }
  }
}
