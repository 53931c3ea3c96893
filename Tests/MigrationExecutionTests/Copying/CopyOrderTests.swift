import PostgresClient
import SQLSyntax
import TestSupport
import Testing

@testable import MigrationPlanning

/// The orders of events that random writers meet too rarely, and what happens where the protocol is
/// not kept: each way of not keeping it is seen.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct CopyOrderTests {
  // MARK: - What the entries hold

  /// A fault in the capture.
  enum CaptureFault: CaseIterable {
    case keyThatWas
    case carriedValueThatWas

    /// Returns a statement with the fault in it.
    func apply(to statement: SQLFragment) -> SQLFragment {
      let text = statement.text
      guard text.hasPrefix("CREATE FUNCTION") else { return statement }
      let column =
        switch self {
        case .keyThatWas: "\"_id\""
        case .carriedValueThatWas: "\"book\""
        }
      return SQLFragment(
        deparsed:
          text
          .split(separator: "\n", omittingEmptySubsequences: false)
          .map { line in
            // Of an UPDATE alone; there the values that were stand before those that are.
            line.contains("), ('R', NEW")
              ? line.replacing("OLD.\(column)", with: "NEW.\(column)") : line[...]
          }
          .joined(separator: "\n")
      )
    }
  }

  @Test(arguments: [nil] + CaptureFault.allCases.map { Optional($0) })
  func `rows that follow from what a key or a carried value was are derived again`(
    fault: CaptureFault?
  ) async throws {
    try await TestServer.withDatabase { url in
      try fillBookshop(url)
      let driver = try CopyDriver(url, BookshopCopy())
      try driver.prepare { fault?.apply(to: $0) ?? $0 }
      try driver.copyAll(size: 50)

      try write(
        url,
        "UPDATE public.publisher SET _id = 77 WHERE _id = 3",
        "UPDATE public.sale SET book = 6 WHERE book = 5"
      )
      try driver.apply(limit: nil)

      let tables = Set(try driver.differences().compactMap { $0.split(separator: ":").first })
      switch fault {
      case nil: #expect(tables == [])
      case .keyThatWas: #expect(tables == ["book"])
      case .carriedValueThatWas: #expect(tables == ["book_sales"])
      }
    }
  }

  // MARK: - Who does what first

  @Test(arguments: [false, true])
  func `what is deleted while its range is copied stays deleted if entries wait for the range`(
    isKept: Bool
  ) async throws {
    try await TestServer.withDatabase { url in
      try fillBookshop(url)
      let copy = BookshopCopy()
      let driver = try CopyDriver(url, copy)
      try driver.prepare()
      let gate = try PausedInsertion(url, into: "book")
      let table = try #require(copy.plan.tables.first { $0.name == "book" })
      let feed = try #require(table.feeds.first)

      async let range: Void = run(url, copy.statements.copy(feed, of: table, from: nil, to: "50"))
      try await gate.untilReached()
      try write(url, "DELETE FROM public.book WHERE _id IN (7, 8)")
      // An entry for a range that can still commit an older snapshot has to wait for it.
      if !isKept { try driver.apply(limit: nil) }
      try gate.open()
      try await range
      if isKept { try driver.apply(limit: nil) }
      let rest = copy.statements.copy(feed, of: table, from: "50", to: nil)
      try driver.connection.execute(rest)

      #expect(try driver.connection.query(copy.statements.backlog(atMost: 5)).value == "0")
      let found = try driver.differences(in: [table])
      #expect(found.count == (isKept ? 0 : 2), "\(found)")
    }
  }

  @Test(arguments: [false, true])
  func `what is written just before the end is there if the queues are emptied under the lock`(
    isDrained: Bool
  ) async throws {
    try await TestServer.withDatabase { url in
      try fillBookshop(url)
      let driver = try CopyDriver(url, BookshopCopy())
      try driver.prepare()
      try driver.copyAll(size: 50)
      try driver.apply(limit: nil)
      try write(url, "UPDATE public.book SET title = 'late' WHERE _id = 9")

      let found = try driver.cutOver(isDrained: isDrained)

      #expect(found.isEmpty == isDrained, "\(found)")
    }
  }

  @Test
  func `an entry that was written earlier and committed later is not passed over`() async throws {
    try await TestServer.withDatabase { url in
      try fillBookshop(url)
      let driver = try CopyDriver(url, BookshopCopy())
      try driver.prepare()
      try driver.copyAll(size: 50)
      let slow = try PostgresConnection(to: .url(url))
      try slow.execute("BEGIN")
      try slow.execute("UPDATE public.book SET title = 'slow' WHERE _id = 1")
      try write(url, "UPDATE public.book SET title = 'quick' WHERE _id = 2")

      #expect(try driver.apply(limit: nil) == 1)
      #expect(try driver.differences() == [])
      try slow.execute("COMMIT")
      #expect(try driver.differences() == [])
      #expect(try driver.apply(limit: nil) == 1)

      #expect(try driver.cutOver() == [])
    }
  }

  @Test
  func `capturing begins when all who wrote before have ended`() async throws {
    try await TestServer.withDatabase { url in
      try fillBookshop(url)
      let slow = try PostgresConnection(to: .url(url))
      try slow.execute("BEGIN")
      try slow.execute("INSERT INTO public.book (_id, title) VALUES (999, 'slow')")

      async let prepared: Void = inSession(url) { url in
        try CopyDriver(url, BookshopCopy()).prepare()
      }
      try await wait(
        for: "\(SQLFragment.sessionsThatWait) AND mode = 'ShareRowExclusiveLock'",
        at: url
      )
      try slow.execute("COMMIT")
      try await prepared

      let driver = try CopyDriver(url, BookshopCopy())
      try driver.copyAll(size: 50)
      #expect(
        try driver.connection.query("SELECT title FROM staging.book WHERE _id = 999").value
          == "slow"
      )
      #expect(try driver.cutOver() == [])
    }
  }

  @Test
  func `an emptied table is compared with what it has afterwards`() async throws {
    try await TestServer.withDatabase { url in
      try fillBookshop(url)
      let driver = try CopyDriver(url, BookshopCopy())
      try driver.prepare()
      try driver.copyAll(size: 50)

      try write(
        url,
        """
        TRUNCATE public.book, public.sale;
        INSERT INTO public.book (_id, title, author_name) VALUES (3, 'new', 'Author 3'), (500, 'x', 'Y')
        """
      )
      #expect(try driver.differences() == [])
      try driver.apply(limit: 1)
      #expect(try driver.differences() == [])
      try driver.apply(limit: nil)

      #expect(try driver.differences() == [])
      let rows = try driver.connection.query("SELECT _id FROM staging.book ORDER BY 1").rows
      #expect(rows.map(\.first) == ["3", "500"])
      #expect(try driver.cutOver() == [])
    }
  }

  @Test(arguments: [false, true])
  func `a unique value can go from one row to another where changed rows are replaced`(
    isReplaced: Bool
  ) async throws {
    try await TestServer.withDatabase { url in
      try fillBookshop(url)
      let copy = BookshopCopy(
        tables: BookshopCopy.tables.map { table in
          var table = table
          table.replacesChangedRows = isReplaced
          return table
        }
      )
      let driver = try CopyDriver(url, copy)
      try driver.prepare()
      try driver.copyAll(size: 50)
      try driver.connection.execute("CREATE UNIQUE INDEX ON staging.book (title)")
      try write(
        url,
        """
        UPDATE public.book SET title = 'between' WHERE _id = 1;
        UPDATE public.book SET title = 'Title 1' WHERE _id = 2;
        UPDATE public.book SET title = 'Title 2' WHERE _id = 1
        """
      )

      if isReplaced {
        try driver.apply(limit: nil)
        #expect(try driver.cutOver() == [])
      } else {
        let error = #expect(throws: PostgresError.self) { try driver.apply(limit: nil) }
        #expect(error?.sqlState == .uniqueViolation)
      }
    }
  }

  // MARK: - Other sessions

  private func write(_ url: String, _ statements: SQLFragment...) throws {
    let connection = try PostgresConnection(to: .url(url))
    for statement in statements { try connection.execute(statement) }
  }

  private func run(_ url: String, _ statement: SQLFragment) async throws {
    try await inSession(url) { url in
      let connection = try PostgresConnection(to: .url(url))
      try connection.execute("SET remodel.pauses = 'yes'")
      try connection.execute(statement)
    }
  }
}

/// Runs something that waits on a thread of its own.
private func inSession(
  _ url: String,
  _ body: @escaping @Sendable (String) throws -> Void
) async throws {
  let session = try await PostgresSession.connect(to: .url(url))
  try await session.run { _ in try body(url) }
  await session.close()
}

/// An insertion into a table, by a session that lets itself be paused, that is stopped when it has its snapshot and no row yet.
private final class PausedInsertion {
  private let url: String
  private let holder: PostgresConnection

  init(_ url: String, into table: SQLIdentifier) throws {
    self.url = url
    let holder = try PostgresConnection(to: .url(url))
    try holder.execute(
      """
      CREATE FUNCTION staging.pause() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN PERFORM pg_advisory_xact_lock_shared(1); RETURN NULL; END $$;
      CREATE TRIGGER pause BEFORE INSERT ON staging.\(table)
        FOR EACH STATEMENT WHEN (current_setting('remodel.pauses', true) = 'yes')
        EXECUTE FUNCTION staging.pause()
      """
    )
    try holder.execute("SELECT pg_advisory_lock(1)")
    self.holder = holder
  }

  func untilReached() async throws {
    try await wait(
      for: "\(SQLFragment.sessionsThatWait) AND locktype = 'advisory'",
      at: url
    )
  }

  /// Lets the insertion continue.
  func open() throws {
    try holder.execute("SELECT pg_advisory_unlock(1)")
  }
}
