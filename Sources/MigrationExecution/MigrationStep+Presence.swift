internal import MigrationPlanning
internal import ObjectModel

extension MigrationStep {
  /// Returns whether the step begins or continues at the version that the metadata has for the store.
  ///
  /// - Parameters:
  ///   - presence: The metadata of the store.
  ///   - done: The number of committed statements of a creation.
  ///   - digest: The digest of the step.
  /// - Returns: Whether the step was planned for it.
  func follows(
    _ presence: MetadataStore.Presence,
    after done: Int,
    digest: @autoclosure () -> String
  ) -> Bool {
    // A new schema begins with it.
    let source = isIntoSchema ? nil : source
    return switch (presence, source) {
    case (.noStore, nil): done == 0
    case (.creating(let record), nil):
      record.done == done && done > 0 && record.planDigest == digest()
    case (.store, _?): isOf(presence)
    case (.noMetadata, _), (.noStore, _?), (.creating, _?), (.store, nil): false
    }
  }
}

extension MigrationStep {
  /// A copy into another schema sees one state of the source from beginning to end.
  var transactionMode: Transaction.Mode { isIntoSchema ? .repeatableRead : .readCommitted }

  /// Returns the store that is copied into another schema; none if the step changes its own.
  func copiedStore(_ store: StoreIdentity) -> StoreIdentity? {
    guard isIntoSchema, let source else { return nil }
    return StoreIdentity(
      schema: source.projection.schema.name,
      modelName: store.modelName,
      configurationName: store.configurationName,
      metadataSchema: store.metadataSchema,
      trustedOwners: store.trustedOwners
    )
  }

  /// Returns whether a store is at the version that the step starts from.
  func isOf(_ presence: MetadataStore.Presence) -> Bool {
    guard case .store(let record) = presence, let source else { return false }
    return record.versionName == source.name && record.checksum == source.hashes.checksum
      && record.layoutDigest == source.hashes.layoutDigest
  }
}
