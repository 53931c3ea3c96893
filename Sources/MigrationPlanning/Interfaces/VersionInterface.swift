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
  init(of version: PlannedVersion, schema: SQLIdentifier) {
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
    views.contains { view in
      guard view.table == object.table else { return false }
      return object.column.map { column in view.columns.contains { $0.source == column } } ?? true
    }
  }
}

/// A view of an interface: what a table of the version is by now.
package struct InterfaceView: Hashable, Sendable {
  /// A column of a view.
  package struct Column: Hashable, Sendable, Codable {
    /// The name that the version has for it.
    package let name: SQLIdentifier
    /// The type.
    package let type: String
    /// The expression that rows of the version get by default; `nil` if there is none.
    package let defaultExpression: String?
    /// A Boolean value that indicates whether the version has a value for it in each row.
    package let isRequired: Bool
    /// A Boolean value that indicates whether the server computes or numbers the values.
    package let isFilledByServer: Bool
    /// The name of the column that has the values by now.
    package var source: SQLIdentifier
  }

  /// The name that the version has for the table.
  package let name: SQLIdentifier
  /// The name of the table by now; `nil` if the version is not served with it any more.
  package var table: SQLIdentifier?
  /// The columns in their order.
  package var columns: [Column]

  /// Creates the view of a table as it is.
  init(_ table: Table) {
    name = table.name
    self.table = table.name
    columns = table.columns.map { column in
      Column(
        name: column.name,
        type: column.type.text,
        defaultExpression: column.defaultExpression?.text,
        isRequired: !column.isNullable,
        isFilledByServer: column.sequence != nil || column.generation != nil,
        source: column.name
      )
    }
  }
}

extension InterfaceView: Codable {}

extension VersionInterface: Codable {
  private enum CodingKeys: String, CodingKey {
    case schema, version, checksum, layoutDigest, views
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
  }

  /// Writes an interface as the metadata has it.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(schema, forKey: .schema)
    try container.encode(version.name, forKey: .version)
    try container.encode(version.checksum, forKey: .checksum)
    try container.encode(version.layoutDigest, forKey: .layoutDigest)
    if !views.isEmpty { try container.encode(views, forKey: .views) }
  }

  /// The interface without its views.
  package var reference: VersionInterface {
    VersionInterface(schema: schema, version: version, views: [])
  }
}
