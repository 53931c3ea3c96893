package import MigrationPlanning
internal import SQLSyntax

/// Compares a catalog with a version, both in the server's own words.
///
/// Objects that a model can describe have to be equal. Others are listed and left alone.
package struct AdoptionComparison {
  /// The result of a comparison.
  package struct Result: Hashable, Sendable {
    /// The differences between the catalog and the version.
    package var differences: [Drift]
    /// The objects of the version's tables that are left alone.
    package var unexpressed: [UnexpressedObject]
  }

  private let projection: ModelProjection
  private let made: [CatalogObject: ObjectDefinition]
  private let live: LiveCatalog
  private let tables: [CatalogTable]
  private let leftAlone: [UnexpressedObject]

  /// Creates a comparison.
  ///
  /// - Parameters:
  ///   - projection: The version.
  ///   - made: The objects of the version if Remodel created it.
  ///   - live: The existing objects.
  ///   - tables: The existing tables.
  ///   - leftAlone: Objects to leave alone, besides those that follow from the catalog.
  package init(
    of projection: ModelProjection,
    made: [CatalogObject: ObjectDefinition],
    live: LiveCatalog,
    tables: [CatalogTable],
    leavingAlone leftAlone: [UnexpressedObject] = []
  ) {
    self.projection = projection
    self.made = made
    self.live = live
    self.tables = tables
    self.leftAlone = leftAlone
  }

  /// Compares.
  package func result() -> Result {
    var unexpressed = leftAlone
    let known = Set(leftAlone.compactMap(\.part))
    let scope = AdoptionScope(of: tables, in: projection.schema)
    for table in tables where projection.schema.tables[SQLIdentifier(table.name)] != nil {
      unexpressed += scope.unexpressedParts(of: table, besides: known.union(made.keys))
    }
    var expected = made
    for (object, found) in live.objects.sorted(by: { $0.key < $1.key }) {
      guard let definition = made[object] else { continue }
      let facets = ObjectDefinition.Facet.allCases.filter {
        $0.isOutsideModels(of: object.kind) && found.knows($0) && definition[$0] != found[$0]
      }
      guard !facets.isEmpty else { continue }
      for facet in facets { expected[object]?.facets.updateValue(found[facet], forKey: facet) }
      let texts = facets.map { found[$0] ?? "unset" }
      unexpressed.append(UnexpressedObject(.part(object), .facets(facets, actual: texts)))
    }
    let drifts = DriftComparison(
      of: projection,
      recorded: RecordedDefinitions(serverMajor: live.serverMajor, objects: expected),
      live: live,
      unexpressed: Set(unexpressed.compactMap(\.part))
    ).result().drifts
    return Result(differences: drifts, unexpressed: unexpressed)
  }
}
