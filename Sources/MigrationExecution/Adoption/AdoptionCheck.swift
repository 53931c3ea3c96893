public import CatalogComparison
public import MigrationPlanning
internal import PostgresClient
internal import SQLSyntax

/// What has to be true of the tables when a version is recorded as the one that they are of, and what is
/// recorded besides.
public struct AdoptionCheck: Sendable {
  private let projection: ModelProjection
  private let made: [CatalogObject: ObjectDefinition]
  private let leftAlone: [UnexpressedObject]
  private let found: AdoptionComparison.Result

  /// Creates a check.
  ///
  /// - Parameters:
  ///   - projection: The version.
  ///   - made: What the version would be, where it is made anew.
  ///   - leftAlone: What is known to be left alone, besides what the catalog itself tells.
  ///   - found: What a comparison without locks has found.
  public init(
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

  /// The statements that record what of the tables no model has words for.
  func recording(_ store: StoreIdentity) -> [SQLFragment] {
    let objects = Set(found.unexpressed.compactMap(\.part))
      .filter { projection.schema.tables[SQLIdentifier($0.table)] != nil }
    return MetadataStatements(store).recordingUnexpressed(objects.sorted())
  }
}
