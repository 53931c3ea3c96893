internal import Diagnostics
internal import MigrationExecution
internal import ModelLoading
internal import PostgresClient

/// A model whose store is at a version that this bundle has as well: the same model, if its folder was
/// renamed.
struct FormerName: Hashable {
  /// The name of the other model.
  let modelName: String
  /// The version that its store is at.
  let versionName: String

  /// What to do if it is the same model; nothing is done without it, since two models may be alike.
  var hint: String {
    "If this is that model in a renamed folder, add --model-name \"\(modelName)\"."
  }

  /// A warning where the store of this model is missed.
  func warning(schema: String) -> Diagnostic {
    Diagnostic(
      .warning,
      "schema \"\(schema)\" has the store of another model, \"\(modelName)\", at version "
        + "\"\(versionName)\", which this model has as well",
      hint: hint
    )
  }
}

extension VersionCatalog {
  /// Returns the models with a store in the schema that is at a version of this bundle.
  func formerNames(_ connection: borrowing PostgresConnection) throws -> [FormerName] {
    let names = try MetadataStore(store).modelNames(connection).filter { $0 != bundle.name }
    guard !names.isEmpty else { return [] }
    let known = Set(bundle.versions.compactMap { try? load($0).hashes.checksum })
    return names.compactMap { name in
      let other = StoreIdentity(
        schema: store.schema,
        modelName: name,
        configurationName: store.configurationName,
        metadataSchema: store.metadataSchema,
        trustedOwners: store.trustedOwners
      )
      // A store of another configuration is not the one that is missed.
      guard case .store(let record)? = try? MetadataStore(other).presence(connection),
        known.contains(record.checksum)
      else { return nil }
      return FormerName(modelName: name, versionName: record.versionName)
    }
  }
}
