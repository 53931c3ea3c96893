package import MigrationPlanning
package import ObjectModel
package import SQLSyntax

extension PlannedVersion {
  /// Creates a version of a model, with its tables in a schema.
  package init(
    _ model: ManagedObjectModel,
    named name: String = "1",
    in schema: SQLIdentifier = "s"
  ) throws {
    try self.init(
      name: name,
      hashes: model.versionHashes(),
      projection: ModelProjection(model, schema: schema)
    )
  }
}
