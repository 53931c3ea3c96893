public import Diagnostics
internal import MigrationExecution
internal import ObjectModel
internal import PostgresClient
internal import SQLSyntax

/// The result of `check`.
public struct CheckReport: Hashable, Sendable {
  /// A Boolean value that indicates whether the database's version hashes are the target's, and nothing is
  /// left to do that a release of it relies on.
  public let isCurrent: Bool
  /// A Boolean value that indicates whether the rows are current and the layout is not.
  public let isBehind: Bool
  /// A Boolean value that indicates whether the version is the target's and something is left to do that
  /// a release relies on.
  public let isUnfinished: Bool
  /// A Boolean value that indicates whether the database is at another version and serves the target beside it.
  public let isServed: Bool
  /// The version that the database is at.
  public let version: VersionReference?
  /// The progress of the creation, while the store is being created.
  public let creation: CreationProgress?
  /// The copy job that is not ended.
  public let jobID: String?
  /// The version that these models lead to.
  public let target: VersionReference
  /// The faults of the models, if the database is not current because of them.
  public var warnings: [Diagnostic] = []
}

extension CheckReport {
  /// A Boolean value that indicates whether a release on the target finds what it needs.
  public var isUsable: Bool { isCurrent || isServed }

  init(
    _ catalog: VersionCatalog,
    _ target: LoadedVersion,
    _ connection: borrowing PostgresConnection
  ) throws {
    let presence = try MetadataStore(catalog.store).presenceWithJob(connection)
    guard case .store(let record) = presence else {
      var creation: CreationProgress?
      if case .creating(let record) = presence {
        creation = CreationProgress(record)
      } else {
        // Tables that are not ours are an error, an empty schema is just not current.
        _ = try DatabaseView(catalog, connection)
      }
      let formerNames = try catalog.formerNames(connection)
      self.init(
        isCurrent: false,
        isBehind: false,
        isUnfinished: false,
        isServed: false,
        version: nil,
        creation: creation,
        jobID: nil,
        target: target.reference,
        warnings: formerNames.map { $0.warning(schema: catalog.store.schema.name) }
      )
      return
    }
    self.init(record, target.identity)
    if record.checksum != target.hashes.checksum, record.versionName == target.name {
      let applied = try MetadataStore(catalog.store).archivedModels(connection)
        .last { $0.version == record.identity }
      let changes = applied?.changes(to: target) ?? []
      warnings = RemodelError(.editedVersion(target.name, changes: changes)).diagnostics
    }
  }

  /// Tells that a database is current, by a session without settings; none if it takes more to tell.
  ///
  /// - Parameters:
  ///   - catalog: The versions.
  ///   - files: Their files, which are parsed only if they may have changed.
  ///   - connection: The session.
  /// - Throws: The faults of the files.
  init?(
    atOnce catalog: VersionCatalog,
    _ files: FilesDigest?,
    _ connection: borrowing PostgresConnection
  ) throws {
    guard let record = MetadataStore(catalog.store).recordAtOnce(connection) else { return nil }
    let isKnown = files?.leads(to: record) == true
    guard let target = try isKnown ? record.identity : catalog.target(nil)?.identity else {
      return nil
    }
    self.init(record, target)
    guard isUsable else { return nil }
  }

  /// Tells from the record of a store that it is current; none if it takes more to tell.
  init?(atOnce files: FilesDigest, _ record: StoreRecord) {
    guard files.leads(to: record) else { return nil }
    self.init(record, record.identity)
    guard isUsable else { return nil }
  }

  private init(_ record: StoreRecord, _ target: VersionIdentity) {
    let isSame = record.checksum == target.checksum
    self.init(
      isCurrent: isSame && !record.isUnfinished,
      isBehind: isSame && record.layoutDigest != target.layoutDigest,
      isUnfinished: isSame && record.isUnfinished,
      isServed: !isSame && record.serves(target),
      version: VersionReference(name: record.versionName, checksum: record.checksum),
      creation: nil,
      jobID: record.unfinishedJobID,
      target: VersionReference(name: target.name, checksum: target.checksum)
    )
  }
}
