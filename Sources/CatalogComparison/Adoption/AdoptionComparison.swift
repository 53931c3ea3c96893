public import MigrationPlanning
internal import SQLSyntax

/// Compares a catalog with what a version would be in it, as the server itself words both.
///
/// What a model can say has to be the same. What no model has words for, is listed and left alone.
public struct AdoptionComparison {
  /// What came of a comparison.
  public struct Result: Hashable, Sendable {
    /// In what the catalog is not what the version would be.
    public var differences: [Drift]
    /// What is left alone of the version's tables.
    public var unexpressed: [UnexpressedObject]
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
  ///   - made: What the version would be, where it is made anew.
  ///   - live: What is there.
  ///   - tables: The tables that are there.
  ///   - leftAlone: What is known to be left alone, besides what the catalog itself tells.
  public init(
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
  public func result() -> Result {
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
