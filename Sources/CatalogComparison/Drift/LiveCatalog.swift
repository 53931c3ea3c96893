public import SQLSyntax

/// What a server's catalog has of the tables of a store.
public struct LiveCatalog: Sendable {
  /// The major version of the server.
  public var serverMajor: Int
  /// A Boolean value that indicates whether the schema is there.
  public var hasSchema: Bool
  /// What is there.
  public var objects: [CatalogObject: ObjectDefinition]
  /// The tables that may be what has become of one that is not there, by its name.
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
