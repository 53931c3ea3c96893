internal import SQLSyntax

/// The hashes of one version of a model.
///
/// Applications with the same *version hashes* can read and write the same rows. The *layout
/// digest* covers everything that becomes DDL: a database with equal version hashes and another
/// layout digest works, but lacks an index, a default or a delete rule.
public struct ModelVersionHashes: Hashable, Sendable {
  /// The version hash of each entity, by name.
  public let entities: [String: VersionHash]
  /// The hash of the whole version.
  public let checksum: VersionHash
  /// The digest of all that becomes DDL.
  package let layoutDigest: VersionHash

  /// Creates hashes, as metadata hold them.
  package init(
    entities: [String: VersionHash],
    checksum: VersionHash,
    layoutDigest: VersionHash
  ) {
    self.entities = entities
    self.checksum = checksum
    self.layoutDigest = layoutDigest
  }
}

extension ManagedObjectModel {
  /// Returns the hashes of this version, in time linear in the size of the model.
  public func versionHashes() -> ModelVersionHashes {
    var hashes: [String: VersionHash] = [:]
    var layouts: [String: VersionHash] = [:]
    for root in rootEntities {
      for entity in family(of: root) {
        // A family lists superentities first, so the parent's hash exists.
        let parent = entity.superentityName.flatMap { hashes[$0] }
        let hash = VersionHash(of: serialisation(of: entity, parent: parent, layout: false))
        hashes[entity.name] = hash
        let layout = serialisation(of: entity, parent: parent, layout: true)
        layouts[entity.name] = VersionHash(of: layout)
      }
    }
    // No entity is without a name.
    if !layout.isOrdinary { layouts[""] = VersionHash(of: layoutSerialisation) }
    return ModelVersionHashes(
      entities: hashes,
      checksum: Self.combined(hashes),
      layoutDigest: Self.combined(layouts)
    )
  }

  private static func combined(_ hashes: [String: VersionHash]) -> VersionHash {
    var writer = CanonicalWriter()
    writer.array(hashes.keys.sorted(by: byBytes)) { writer, name in
      writer.array([name, hashes[name]?.text]) { $0.value($1) }
    }
    return VersionHash(of: writer)
  }
}
