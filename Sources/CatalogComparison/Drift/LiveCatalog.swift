public import SQLSyntax

/// The objects of a store's tables in the server's catalog.
public struct LiveCatalog: Sendable {
  /// The major version of the server.
  public var serverMajor: Int
  /// A Boolean value that indicates whether the schema exists.
  public var hasSchema: Bool
  /// The existing objects.
  public var objects: [CatalogObject: ObjectDefinition]
  /// The tables that may be the renamed form of a missing one, by its name.
  public var successors: [String: QualifiedName]

  /// Creates a catalog.
  public init(
    serverMajor: Int,
    hasSchema: Bool = true,
    objects: [CatalogObject: ObjectDefinition],
    successors: [String: QualifiedName] = [:]
  ) {
    self.serverMajor = serverMajor
    self.hasSchema = hasSchema
    self.objects = objects
    self.successors = successors
  }
}

/// The definitions that were recorded when a store came to its version.
public struct RecordedDefinitions: Sendable {
  /// The major version of the server that worded them.
  public var serverMajor: Int
  /// The definitions.
  public var objects: [CatalogObject: ObjectDefinition]

  /// Creates a record.
  public init(serverMajor: Int, objects: [CatalogObject: ObjectDefinition]) {
    self.serverMajor = serverMajor
    self.objects = objects
  }
}
