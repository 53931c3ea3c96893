internal import PostgresClient
public import RemodelKit
internal import SQLSyntax

/// A database of a test, at a version of a model.
///
/// Its session finds the tables without their schema, and prints times in UTC.
public struct TestDatabase: Sendable {
  /// The database's URL, for a superuser: for the code that a test is about.
  public let url: String
  /// The front door, with the models of the test.
  public let remodel: Remodel

  private let session: PostgresSession

  init(at url: String, _ remodel: Remodel) async throws {
    self.url = url
    self.remodel = remodel
    session = try await PostgresSession.connect(to: .url(url))
    let schema = remodel.configuration.schema
    try await session.run { try $0.execute("SET search_path = \(schema), pg_temp") }
  }

  func close() async {
    await session.close()
  }

  // MARK: - Rows

  /// Runs a statement, or several.
  ///
  /// - Parameter statement: The SQL.
  /// - Returns: The number of rows that the last statement changed.
  /// - Throws: The server's error.
  @discardableResult
  public func execute(_ statement: TestStatement) async throws -> Int {
    try await session.run { try $0.execute(statement.fragment) }
  }

  /// Returns the rows of a query as PostgreSQL prints their values; NULL is `nil`.
  ///
  /// - Parameter query: The SQL, of one statement.
  /// - Returns: The rows, each with its values in the order of the columns.
  /// - Throws: The server's error.
  public func rows(_ query: TestStatement) async throws -> [[String?]] {
    try await result(of: query).rows
  }

  /// Returns the rows of a query as values of a type.
  ///
  /// A type with properties gets each from the column of its name, which may be in snake case; a
  /// single value, such as `Int.self`, from the first column.
  ///
  /// - Parameters:
  ///   - query: The SQL, of one statement.
  ///   - type: The type of a row.
  /// - Returns: The rows.
  /// - Throws: The server's error, or an error with the value that cannot be decoded.
  public func rows<Row: Decodable>(
    _ query: TestStatement,
    as type: Row.Type
  ) async throws -> [Row] {
    try await result(of: query).map { try Row(from: RowDecoder(row: $0)) }
  }

  private func result(of query: TestStatement) async throws -> QueryResult {
    try await session.run { try $0.query(query.fragment) }
  }

  // MARK: - Versions

  /// Migrates the database to the current version, or to another one.
  ///
  /// - Parameter version: The version; by default the current one.
  /// - Returns: The finished work.
  /// - Throws: The reason why the target was not reached.
  @discardableResult
  public func migrate(to version: String? = nil) async throws -> MigrationReport {
    try await remodel.migrate(.url(url), to: version)
  }

  /// Reverts the last migration, or the last ones.
  ///
  /// - Parameters:
  ///   - version: The version to revert to; by default the one before the last migration.
  ///   - acceptsLosses: Whether to revert in spite of losses.
  /// - Returns: The finished work.
  /// - Throws: The reason why the version was not reached.
  @discardableResult
  public func revert(
    to version: String? = nil,
    acceptingLosses acceptsLosses: Bool = false
  ) async throws -> MigrationReport {
    try await remodel.revert(.url(url), to: version, acceptingLosses: acceptsLosses)
  }

  /// Checks that the tables equal those of their version, and that the rows satisfy its rules.
  ///
  /// - Returns: The other objects in the schema.
  /// - Throws: A ``TestingError`` with the differences.
  @discardableResult
  public func verify() async throws -> VerificationReport {
    let report = try await remodel.verify(.url(url), asksRows: true)
    guard report.isClean else { throw TestingError(.differs(report)) }
    return report
  }
}
