internal import MigrationExecution
internal import MigrationPlanning
internal import PostgresClient

extension CheckReport {
  init(
    _ catalog: VersionCatalog,
    _ target: LoadedVersion,
    _ connection: borrowing PostgresConnection
  ) throws {
    let presence = try MetadataStore(catalog.store).presenceWithJob(connection)
    if case .creating(let record) = presence {
      self.init(
        isCurrent: false,
        isBehind: false,
        isUnfinished: false,
        version: nil,
        creation: CreationProgress(record),
        jobID: nil,
        target: target.reference
      )
      return
    }
    guard case .store(let record) = presence else {
      // Tables that are not ours are an error, an empty schema is just not current.
      _ = try DatabaseView(catalog, connection)
      self.init(
        isCurrent: false,
        isBehind: false,
        isUnfinished: false,
        version: nil,
        creation: nil,
        jobID: nil,
        target: target.reference
      )
      return
    }
    self.init(record, target)
    if record.checksum != target.hashes.checksum, record.versionName == target.name {
      let applied = try MetadataStore(catalog.store).archivedModels(connection)
        .last { $0.version == record.model }
      let changes = applied?.changes(to: target) ?? []
      warnings = RemodelError(.editedVersion(target.name, changes: changes)).diagnostics
    }
  }

  /// Tells that a database is current, by a session without settings; none if it takes more to tell.
  init?(
    atOnce catalog: VersionCatalog,
    _ target: LoadedVersion,
    _ connection: borrowing PostgresConnection
  ) {
    guard let record = MetadataStore(catalog.store).recordAtOnce(connection) else { return nil }
    self.init(record, target)
    guard isCurrent else { return nil }
  }

  private init(_ record: StoreRecord, _ target: LoadedVersion) {
    let isSame = record.checksum == target.hashes.checksum
    self.init(
      isCurrent: isSame && !record.isUnfinished,
      isBehind: isSame && record.layoutDigest != target.hashes.layoutDigest,
      isUnfinished: isSame && record.isUnfinished,
      version: VersionReference(name: record.versionName, checksum: record.checksum),
      creation: nil,
      jobID: record.unfinishedJobID,
      target: target.reference
    )
  }
}
