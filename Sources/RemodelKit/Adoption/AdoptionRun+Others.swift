internal import CatalogComparison
internal import MigrationExecution
internal import MigrationPlanning
internal import ObjectModel
internal import PostgresClient
internal import SQLSyntax

extension AdoptionRun {
  /// Lists what there is besides the tables of a version.
  func others(
    than version: PlannedVersion,
    _ tables: [CatalogTable],
    _ presence: MetadataStore.Presence,
    _ connection: borrowing PostgresConnection
  ) throws -> [UnexpressedObject] {
    let hasMetadata = presence != .noMetadata
    let known = Set(tables.map { "\(store.schema.name).\($0.name)" })
    let bystanders = try BystanderInspection(store)
      .bystanders(
        of: version.projection.schema,
        retained: [],
        hasMetadata: hasMetadata,
        connection
      )
      .filter { !$0.kind.hasSuffix("table") || !known.contains($0.unquotedIdentity) }
    let schemas = try CatalogInspection(store).otherSchemas(connection)
    return bystanders.map(\.unexpressed)
      + schemas.map {
        UnexpressedObject(
          .other(kind: "schema", name: $0.name),
          .schemaOfOthers(tableCount: $0.tableCount)
        )
      }
  }
}

extension Bystander {
  /// The name without the quotes that the server puts around its parts.
  fileprivate var unquotedIdentity: String { identity.replacing("\"", with: "") }

  /// What it is as something that a model has no words for.
  fileprivate var unexpressed: UnexpressedObject {
    let reason: UnexpressedObject.Reason =
      switch kind {
      case "function", "procedure", "aggregate": .routine
      case "type", "domain", "composite type": .ownType
      case "sequence": .ownSequence
      case _: .noEntity
      }
    return UnexpressedObject(.other(kind: kind, name: identity), reason)
  }
}
