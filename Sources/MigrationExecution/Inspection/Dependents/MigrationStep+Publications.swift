package import MigrationPlanning
package import PostgresClient
internal import SQLSyntax

extension MigrationStep {
  /// Finds the publications that would send the rows of the step's new tables to subscribers.
  ///
  /// - Parameter connection: The database.
  /// - Returns: Those of all tables, if the step copies.
  /// - Throws: The server's error.
  package func publicationsInTheWay(
    _ connection: borrowing PostgresConnection
  ) throws -> [DependentRefusal] {
    guard fillsTables else { return [] }
    return try connection.query(
      "SELECT pubname FROM pg_publication WHERE puballtables ORDER BY pubname"
    ).compactMap { $0["pubname"].map(DependentRefusal.init(publicationOfAllTables:)) }
  }
}
