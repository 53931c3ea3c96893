package import CatalogComparison
package import MigrationPlanning
internal import PostgresClient
internal import SQLSyntax

/// The condition for recording a version for existing tables, and the record.
package struct AdoptionCheck: Sendable {
  private let projection: ModelProjection
  private let made: [CatalogObject: ObjectDefinition]
  private let leftAlone: [UnexpressedObject]
  private let found: AdoptionComparison.Result

  /// Creates a check.
  ///
  /// - Parameters:
  ///   - projection: The version.
  ///   - made: The objects of the version if it were created now.
  ///   - leftAlone: Objects to leave alone, besides those that follow from the catalog.
  ///   - found: The result of a comparison without locks.
  package init(
    of projection: ModelProjection,
    made: [CatalogObject: ObjectDefinition],
    leavingAlone leftAlone: [UnexpressedObject],
    found: AdoptionComparison.Result
  ) {
    self.projection = projection
    self.made = made
    self.leftAlone = leftAlone
    self.found = found
  }

  /// Returns whether a comparison finds the same again, under locks that keep others from changing it.
  func holds(_ store: StoreIdentity, _ connection: borrowing PostgresConnection) throws -> Bool {
    let comparison = AdoptionComparison(
      of: projection,
      made: made,
      live: try DefinitionInspection(store, projection).live(retained: [], connection),
      tables: try CatalogInspection(store).tables(connection, hasMetadata: true),
      leavingAlone: leftAlone
    )
    return comparison.result() == found
  }

  /// The statements that record the objects of the tables that no model can describe.
  func recording(_ store: StoreIdentity) -> [SQLFragment] {
    let objects = Set(found.unexpressed.compactMap(\.part))
      .filter { projection.schema.tables[SQLIdentifier($0.table)] != nil }
    return MetadataStatements(store).recordingUnexpressed(objects.sorted())
  }
}
