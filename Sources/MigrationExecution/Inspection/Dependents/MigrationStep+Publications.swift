package import MigrationPlanning
package import PostgresClient
internal import SQLSyntax

extension MigrationStep {
  /// Finds the publications that would send subscribers what the step fills tables with.
  ///
  /// - Parameter connection: The database.
  /// - Returns: Those of all tables, if the step copies.
  /// - Throws: What the server says.
  package func publicationsInTheWay(
    _ connection: borrowing PostgresConnection
  ) throws -> [DependentRefusal] {
    guard fillsTables else { return [] }
    return try connection.query(
      "SELECT pubname FROM pg_publication WHERE puballtables ORDER BY pubname"
    ).compactMap { $0["pubname"].map(DependentRefusal.init(publicationOfAllTables:)) }
  }
}
