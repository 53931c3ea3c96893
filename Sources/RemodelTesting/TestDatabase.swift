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
  /// - Throws: What the server says.
  @discardableResult
  public func execute(_ statement: TestStatement) async throws -> Int {
    try await session.run { try $0.execute(statement.fragment) }
  }

  /// Returns the rows of a query as PostgreSQL prints their values; NULL is `nil`.
  ///
  /// - Parameter query: The SQL, of one statement.
  /// - Returns: The rows, each with its values in the order of the columns.
  /// - Throws: What the server says.
  public func rows(_ query: TestStatement) async throws -> [[String?]] {
    try await result(of: query).rows
  }

  /// Returns the rows of a query as values of a type.
  ///
  /// A type with properties gets each from the column of its name, be it in snake case; a single
  /// value, as of `Int.self`, from the first column.
  ///
  /// - Parameters:
  ///   - query: The SQL, of one statement.
  ///   - type: What a row is decoded as.
  /// - Returns: The rows.
  /// - Throws: What the server says, or which value is none of the type.
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

  /// Brings the database to the current version, or to another one.
  ///
  /// - Parameter version: The version; the current one if none is named.
  /// - Returns: What was done.
  /// - Throws: Why the target was not reached.
  @discardableResult
  public func migrate(to version: String? = nil) async throws -> MigrationReport {
    try await remodel.migrate(.url(url), to: version)
  }

  /// Takes the last migration back, or the last ones.
  ///
  /// - Parameters:
  ///   - version: The version to go back to; the one before the last migration if none is named.
  ///   - acceptsLosses: Whether to go back although something cannot be brought back.
  /// - Returns: What was done.
  /// - Throws: Why the version was not reached.
  @discardableResult
  public func revert(
    to version: String? = nil,
    acceptingLosses acceptsLosses: Bool = false
  ) async throws -> MigrationReport {
    try await remodel.revert(.url(url), to: version, acceptingLosses: acceptsLosses)
  }

  /// Makes sure that the tables are what their version says, and that the rows keep its rules.
  ///
  /// - Returns: What there is besides.
  /// - Throws: A ``TestingError`` that says what differs.
  @discardableResult
  public func verify() async throws -> VerificationReport {
    let report = try await remodel.verify(.url(url), asksRows: true)
    guard report.isClean else { throw TestingError(.differs(report)) }
    return report
  }
}
