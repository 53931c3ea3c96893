package import MigrationExecution
internal import PostgresClient
package import RemodelKit
internal import SQLSyntax
internal import Synchronization
internal import Testing

/// Ends a migration's session after so many statements.
package final class SessionCutter: Sendable {
  private let url: String
  private let position: Int
  private let count = Mutex(0)

  /// Creates something that ends the session of a migration.
  ///
  /// - Parameters:
  ///   - url: The database.
  ///   - position: The number of the event of a statement, its beginning or its end, at which it ends.
  package init(url: String, position: Int) {
    self.url = url
    self.position = position
  }

  /// Counts an event, and ends the session if it is the one.
  package func note(_ event: MigrationEvent) {
    guard event.isOfStatement else { return }
    let reached = count.withLock { count in
      count += 1
      return count
    }
    if reached == position { Self.cut(url) }
  }

  /// Runs a function in one database after another, interrupted a little later each time, until it
  /// ends before the interruption.
  ///
  /// - Parameters:
  ///   - remodel: The entry point of the library.
  ///   - count: The minimum number of statements.
  ///   - prepare: Prepares the database that the others are copies of.
  ///   - perform: The function, which gets an entry point whose session ends.
  ///   - check: Gets the number of the statement, and the error if there was one.
  /// - Throws: The functions' errors.
  package static func cutOffEverywhere(
    _ remodel: Remodel,
    moreThan count: Int,
    prepare: (_ url: String) async throws -> Void,
    perform: (_ remodel: Remodel, _ url: String) async throws -> Void,
    check: (_ url: String, _ position: Int, _ failure: (any Error)?) async throws -> Void
  ) async throws {
    let prepared = try await TestServer.makeTemplate(prepare)
    var position = 1
    var wasCutOff = true
    while wasCutOff {
      wasCutOff = try await TestServer.withDatabase(copying: prepared) { url in
        let cutter = SessionCutter(url: url, position: position)
        let cut = Remodel(remodel.configuration) { cutter.note($0) }
        var failure: (any Error)?
        do { try await perform(cut, url) } catch { failure = error }
        try await check(url, position, failure)
        return failure != nil
      }
      position += RandomCases.distance(2...7, after: position)
    }
    #expect(position > count, "there are more statements than \(position)")
  }

  /// Ends all sessions of migrations in a database.
  package static func cut(_ url: String) {
    do {
      let connection = try PostgresConnection(to: .url(url))
      try connection.execute(
        """
        SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
        WHERE application_name = 'remodel' AND datname = current_database()
        AND pid <> pg_backend_pid()
        """
      )
    } catch {
      Issue.record(error)
    }
  }
}

extension MigrationEvent {
  /// A Boolean value that indicates whether a statement begins or ends: of those that are sent together, each
  /// begins, and all end at once.
  package var isOfStatement: Bool {
    switch self {
    case .statement, .statementStarted: true
    case _: false
    }
  }
}
