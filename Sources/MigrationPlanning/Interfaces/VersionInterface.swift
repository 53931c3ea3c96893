internal import ObjectModel
public import SQLSyntax

/// A version that a database serves: a schema with a view for each table of that version, named and
/// with columns as the version has them, whatever the tables are called by now.
public struct VersionInterface: Hashable, Sendable {
  /// The schema of the views.
  public let schema: SQLIdentifier
  /// The version.
  package let version: VersionIdentity
  /// The views, in the order of their names.
  package var views: [InterfaceView]
  /// What keeps tables in step with the next version.
  package var bridges: [TableBridge] = []
  /// What keeps links in step with the next version, which has them in other places.
  package var links: [LinkBridge] = []

  /// The constraints of the next version that hold when this one is retired.
  package var postponed: [PostponedConstraint] = []

  /// How the comments on such schemas begin, by which they are told from those that stores can be in.
  package static let comment = "The views by which remodel serves version "

  /// The name of the version.
  public var versionName: String { version.name }

  /// Creates an interface.
  package init(schema: SQLIdentifier, version: VersionIdentity, views: [InterfaceView]) {
    self.schema = schema
    self.version = version
    self.views = views
  }

  /// Creates the interface of the version that a database is at, whose views are its tables.
  ///
  /// - Parameters:
  ///   - version: The version.
  ///   - schema: The schema of the views.
  package init(of version: PlannedVersion, schema: SQLIdentifier) {
    self.schema = schema
    self.version = version.identity
    views = version.projection.schema.sortedTables.map(InterfaceView.init)
  }

  /// Returns the name of the schema of a version.
  ///
  /// - Parameters:
  ///   - version: The name of the version.
  ///   - prefix: The beginning of the names of all such schemas.
  /// - Returns: The name, which fits into those of the server.
  package static func schemaName(of version: String, prefix: String) -> SQLIdentifier {
    StorageNames.fitted(prefix + version)
  }
}

extension VersionInterface {
  /// Returns whether the version is served with a retained object.
  func reads(_ object: RetainedObject) -> Bool {
    bridges.contains { $0.table == object.table && $0.columns.contains { $0 == object.column } }
      || views.contains { view in
        guard view.table == object.table else { return false }
        return object.column.map { column in view.columns.contains { $0.source == column } } ?? true
      }
  }
}

extension VersionInterface: Codable {
  private enum CodingKeys: String, CodingKey {
    case schema, version, checksum, layoutDigest, views, bridges, links, postponed
  }

  /// Reads an interface as the metadata has it.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    schema = try container.decode(SQLIdentifier.self, forKey: .schema)
    version = VersionIdentity(
      name: try container.decode(String.self, forKey: .version),
      checksum: try container.decode(VersionHash.self, forKey: .checksum),
      layoutDigest: try container.decode(VersionHash.self, forKey: .layoutDigest)
    )
    views = try container.decodeIfPresent([InterfaceView].self, forKey: .views) ?? []
    bridges = try container.decodeIfPresent([TableBridge].self, forKey: .bridges) ?? []
    links = try container.decodeIfPresent([LinkBridge].self, forKey: .links) ?? []
    postponed =
      try container.decodeIfPresent([PostponedConstraint].self, forKey: .postponed) ?? []
  }

  /// Writes an interface as the metadata has it.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(schema, forKey: .schema)
    try container.encode(version.name, forKey: .version)
    try container.encode(version.checksum, forKey: .checksum)
    try container.encode(version.layoutDigest, forKey: .layoutDigest)
    if !views.isEmpty { try container.encode(views, forKey: .views) }
    if !bridges.isEmpty { try container.encode(bridges, forKey: .bridges) }
    if !links.isEmpty { try container.encode(links, forKey: .links) }
    if !postponed.isEmpty { try container.encode(postponed, forKey: .postponed) }
  }

  /// The interface without its views.
  package var reference: VersionInterface {
    VersionInterface(schema: schema, version: version, views: [])
  }
}
