package import MigrationPlanning

/// The metadata of a store that is being created in several transactions.
package struct CreationRecord: Hashable, Sendable {
  /// The version that the store is to be at, with its model.
  package let version: ArchivedModel
  /// The digest of the plan.
  package let planDigest: String
  /// How many statements are done.
  package internal(set) var done: Int
  /// How many statements there are.
  package let total: Int
}

extension CreationRecord {
  /// The name of that version.
  package var versionName: String { identity.name }

  /// The version that the store is to be at.
  package var identity: VersionIdentity { version.version }
}
