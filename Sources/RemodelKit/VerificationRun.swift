internal import CatalogComparison
internal import Diagnostics
internal import MigrationExecution
internal import MigrationPlanning
internal import ObjectModel
internal import PostgresClient

/// Verifies a store whose catalog may differ from its version.
struct VerificationRun {
  let catalog: VersionCatalog
  let asksRows: Bool

  private var metadata: MetadataStore { MetadataStore(catalog.store) }

  /// A snapshot of a store.
  private struct Sight {
    let record: StoreRecord
    let job: CopyJob?
    let isUnfinished: Bool
    let projection: ModelProjection
    let live: LiveCatalog
    let recorded: RecordedDefinitions?
    let pending: Set<CatalogObject>
    let retained: [RetainedObject]
    let unexpressed: Set<CatalogObject>
    let bystanders: [Bystander]
    let metadataDrift: [Drift]
    let partitionWarnings: [Diagnostic]
  }

  func report(_ connection: borrowing PostgresConnection) throws -> VerificationReport {
    // No statement of this session changes anything, whatever it is.
    try connection.set(.readOnly, to: "on")
    let presence = try metadata.presence(connection)
    switch presence {
    case .noMetadata, .noStore:
      // Tables that are not ours are an error.
      _ = try DatabaseView.settled(catalog, connection) { view, _ in view }
      var report = without(nil, connection)
      let schema = catalog.store.schema.name
      report.warnings = try catalog.formerNames(connection).map { $0.warning(schema: schema) }
      return report
    case .creating(let record):
      return without(CreationProgress(record), connection)
    case .store:
      let sight = try settledSight(connection)
      let findings = asksRows ? try findings(on: sight, connection) : nil
      return report(on: sight, findings, serverVersion: connection.serverVersion)
    }
  }

  private func without(
    _ creation: CreationProgress?,
    _ connection: borrowing PostgresConnection
  ) -> VerificationReport {
    VerificationReport(
      version: nil,
      creation: creation,
      job: nil,
      isUnfinished: false,
      drift: [],
      pending: [],
      findings: nil,
      ownerChanges: [],
      bystanders: [],
      kinds: [:],
      unrecordedCount: 0,
      recordedMajor: nil,
      serverMajor: connection.serverVersion / 10_000
    )
  }

  // MARK: - Looking

  /// Definitions are worded from the catalog as it is by now, whatever the transaction sees, so that
  /// a migration in between would show as drift.
  private func settledSight(_ connection: borrowing PostgresConnection) throws -> Sight {
    var sight = try sight(connection)
    for _ in 0..<5 {
      let isStill = try TransactionRunner().transact(.snapshot, connection) {
        try self.isStill(sight, $0)
      }
      guard !isStill else { break }
      sight = try self.sight(connection)
    }
    return sight
  }

  /// Returns whether nothing has come to change the definitions since.
  private func isStill(_ sight: Sight, _ connection: borrowing PostgresConnection) throws -> Bool {
    guard try metadata.presence(connection) == .store(sight.record) else { return false }
    // The metadata was just checked.
    let layout = sight.record.metadataLayout
    let job = try CopyJob.unfinished(of: catalog.store, inCheckedLayout: layout, connection)
    let inspection = DefinitionInspection(catalog.store, sight.projection)
    return try job?.state == sight.job?.state
      && inspection.pending(inCheckedLayout: layout, connection) == sight.pending
  }

  private func sight(_ connection: borrowing PostgresConnection) throws -> Sight {
    try TransactionRunner().transact(.snapshot, connection) { try look($0) }
  }

  private func look(_ connection: borrowing PostgresConnection) throws -> Sight {
    guard case .store(let record) = try metadata.presence(connection) else {
      throw ExecutionError(.damagedMetadata("the store is gone"))
    }
    let model = try metadata.model(of: record, connection)
    let whole = try ModelProjection(
      model,
      schema: catalog.store.schema,
      isInterpreted: true
    )
    let interfaces = try metadata.interfaces(connection)
    let projection = whole.postponing(interfaces.flatMap(\.postponed))
    let retained = try metadata.retained(connection)
    let inspection = DefinitionInspection(catalog.store, projection)
    let definitions = try inspection.definitions(retained: retained, connection)
    // The metadata was checked at the beginning of this transaction.
    let layout = record.metadataLayout
    var live = definitions.live
    // These are compared with what they have to do.
    for interface in interfaces {
      for trigger in interface.triggers(in: projection.schema.name) {
        let table = trigger.table.name
        live.objects[CatalogObject(.trigger, table: table, name: trigger.name.name)] = nil
      }
    }
    return Sight(
      record: record,
      job: try CopyJob.unfinished(of: catalog.store, inCheckedLayout: layout, connection),
      isUnfinished: try PendingWork.all(of: catalog.store, inCheckedLayout: layout, connection)
        .contains { $0.phase == .now },
      projection: projection,
      live: live,
      recorded: definitions.recorded,
      pending: try inspection.pending(inCheckedLayout: layout, connection),
      retained: retained,
      unexpressed: try inspection.unexpressed(connection),
      bystanders: try BystanderInspection(catalog.store)
        .bystanders(
          of: projection.schema,
          retained: retained,
          besides: interfaces,
          connection
        ),
      metadataDrift: try metadataDrift(record, model, projection, inspection, connection)
        + interfaceDrift(interfaces, projection, connection),
      partitionWarnings: try PartitionMaintenance.warnings(
        for: projection.schema,
        of: catalog.store,
        connection
      )
    )
  }

  /// Compares the metadata with the model that is in it.
  private func metadataDrift(
    _ record: StoreRecord,
    _ model: ManagedObjectModel,
    _ projection: ModelProjection,
    _ inspection: DefinitionInspection,
    _ connection: borrowing PostgresConnection
  ) throws -> [Drift] {
    let hashes = model.versionHashes()
    var drifts: [Drift] = []
    if hashes.checksum != record.checksum {
      drifts.append(
        Drift(
          metadata: "model of version \"\(record.versionName)\" in the metadata",
          expected: record.checksum.text,
          actual: hashes.checksum.text
        )
      )
    }
    let recordedHashes = try inspection.recordedHashes(connection)
    for name in Set(recordedHashes.keys).union(hashes.entities.keys).sorted()
    where recordedHashes[name] != hashes.entities[name]?.text {
      drifts.append(
        Drift(
          metadata: "version hash of entity \"\(name)\" in the metadata",
          expected: hashes.entities[name]?.text,
          actual: recordedHashes[name]
        )
      )
    }
    let tables = Set(projection.schema.tables.keys.map(\.name))
    for name in try inspection.recordedTables(connection).symmetricDifference(tables).sorted() {
      let isExpected = tables.contains(name)
      drifts.append(
        Drift(
          metadata: "entry of table \"\(name)\" in the metadata",
          expected: isExpected ? "table \"\(name)\"" : nil,
          actual: isExpected ? nil : "table \"\(name)\""
        )
      )
    }
    return drifts
  }

  /// Compares the views by which versions are served with those that were made.
  private func interfaceDrift(
    _ interfaces: [VersionInterface],
    _ projection: ModelProjection,
    _ connection: borrowing PostgresConnection
  ) throws -> [Drift] {
    let schema = projection.schema
    return try interfaces.flatMap { interface in
      let inspection = InterfaceInspection(interface)
      let found = try inspection.shapes(connection)
      let views = interface.views.flatMap { view in
        interface.relations(of: view, in: schema.name).compactMap { relation -> Drift? in
          let expected = InterfaceInspection.shape(of: relation)
          let actual = found[relation.name.name]
          guard actual != expected else { return nil }
          return Drift(
            view: relation.name,
            expected: expected.description,
            actual: actual?.description,
            remedy: interface.recreation(of: view, over: schema)
          )
        }
      }
      return try views + bridgeDrift(interface, in: schema.name, inspection, connection)
    }
  }

  /// Compares the triggers that keep tables in step with those that were created.
  private func bridgeDrift(
    _ interface: VersionInterface,
    in schema: SQLIdentifier,
    _ inspection: InterfaceInspection,
    _ connection: borrowing PostgresConnection
  ) throws -> [Drift] {
    let expected = interface.triggers(in: schema)
    guard !expected.isEmpty else { return [] }
    let found = try inspection.triggers(in: schema, connection)
    return expected.compactMap { trigger -> Drift? in
      // One that fires at other times is none.
      let actual = found[trigger.table]?[trigger.name].flatMap { actual -> String? in
        guard actual.firesAlways == trigger.firesAlways,
          trigger.readColumns == nil || trigger.readColumns == actual.readColumns
        else { return nil }
        return actual.code
      }
      guard actual != trigger.code else { return nil }
      return Drift(
        trigger: trigger.name,
        of: trigger.table,
        expected: trigger.code,
        actual: actual,
        remedy: trigger.recreation
      )
    }
  }

  // MARK: - Rows

  private func findings(
    on sight: Sight,
    _ connection: borrowing PostgresConnection
  ) throws -> [PreconditionFinding] {
    let projection = sight.projection
    if sight.live.kinds.isOnOtherNodes { try NodeInspection.refuseSilentNode(connection) }
    let tables = projection.schema.tables.keys.map { projection.schema.qualified($0) }
    try StoreOwnership(of: tables, in: catalog.store, isWriting: false).check(connection)
    // Missing objects are reported as drift.
    let rules = projection.rowRules + projection.replicaRules(sight.live.kinds)
    let ask = { (connection: borrowing PostgresConnection) in
      try rules.map { try PreconditionFinding.asking($0, connection) }
    }
    // Only in a transaction do nodes look objects up where the session does.
    return connection.hasCitus
      ? try TransactionRunner().transact(.snapshot, connection, ask) : try ask(connection)
  }

  // MARK: - Report

  private func report(
    on sight: Sight,
    _ findings: [PreconditionFinding]?,
    serverVersion: Int
  ) -> VerificationReport {
    let result = DriftComparison(
      of: sight.projection,
      recorded: sight.recorded,
      live: sight.live,
      retained: sight.retained,
      pending: sight.pending,
      unexpressed: sight.unexpressed
    ).result()
    // A table that has another name now is not one of others.
    let successors = Set(
      sight.live.successors.values.map { "\($0.schema).\($0.name)" }
    )
    return VerificationReport(
      version: VersionReference(name: sight.record.versionName, checksum: sight.record.checksum),
      creation: nil,
      job: sight.job,
      isUnfinished: sight.isUnfinished,
      drift: sight.metadataDrift + result.drifts,
      pending: result.pending,
      findings: findings,
      ownerChanges: ownerChanges(sight),
      bystanders: sight.bystanders.filter { !successors.contains($0.identity) },
      kinds: sight.live.kinds.undeclared(in: sight.projection.schema),
      unrecordedCount: result.unrecordedCount,
      recordedMajor: sight.recorded?.serverMajor,
      serverMajor: serverVersion / 10_000,
      warnings: sight.partitionWarnings
    )
  }

  private func ownerChanges(_ sight: Sight) -> [VerificationReport.OwnerChange] {
    sight.projection.schema.sortedTables.compactMap { table in
      let object = CatalogObject(.table, table: table.name.name)
      guard let before = sight.recorded?.objects[object]?[.owner],
        let now = sight.live.objects[object]?[.owner], now != before
      else { return nil }
      return VerificationReport.OwnerChange(table: object.table, recorded: before, owner: now)
    }
  }
}
