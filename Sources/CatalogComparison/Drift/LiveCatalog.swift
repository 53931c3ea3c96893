package import MigrationPlanning
package import SQLSyntax

/// The objects of a store's tables in the server's catalog.
package struct LiveCatalog: Sendable {
  /// The major version of the server.
  package var serverMajor: Int
  /// A Boolean value that indicates whether the schema exists.
  package var hasSchema: Bool
  /// The existing objects.
  package var objects: [CatalogObject: ObjectDefinition]
  /// The tables that may be the renamed form of a missing one, by its name.
  package var successors: [String: QualifiedName]

  /// The kinds of the tables.
  package var kinds: TableKinds

  /// Creates a catalog.
  package init(
    serverMajor: Int,
    hasSchema: Bool = true,
    objects: [CatalogObject: ObjectDefinition],
    successors: [String: QualifiedName] = [:],
    kinds: TableKinds = TableKinds()
  ) {
    self.serverMajor = serverMajor
    self.hasSchema = hasSchema
    self.objects = objects
    self.successors = successors
    self.kinds = kinds
  }
}

/// The definitions that were recorded when a store came to its version.
package struct RecordedDefinitions: Sendable {
  /// The major version of the server that worded them.
  package var serverMajor: Int
  /// The definitions.
  package var objects: [CatalogObject: ObjectDefinition]

  /// Creates a record.
  package init(serverMajor: Int, objects: [CatalogObject: ObjectDefinition]) {
    self.serverMajor = serverMajor
    self.objects = objects
  }
}
