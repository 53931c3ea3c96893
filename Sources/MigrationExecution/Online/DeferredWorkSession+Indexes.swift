internal import MigrationPlanning
internal import PostgresClient
internal import SQLSyntax

extension DeferredWorkSession {
  /// Returns the partitions of a table that have rows; `nil` if it is not partitioned.
  func partitions(
    of table: SQLIdentifier,
    _ connection: borrowing PostgresConnection
  ) throws -> [QualifiedName]? {
    let kind = try SchemaInspection(execution.store).tableKinds(connection)[table]
    return kind?.partitionKey == nil ? nil : kind?.leaves
  }

  /// Has an index of a table be there and complete; that of a partitioned table consists of those of its
  /// partitions, which are built before.
  func build(_ work: IndexBuild, _ connection: borrowing PostgresConnection) throws {
    let table = place(of: work.table)
    guard let partitions = try partitions(of: work.table, connection) else {
      return try build(work.index, of: table, connection)
    }
    for partition in partitions {
      let part = work.index.part(on: partition.name, of: work.table)
      try build(part, of: partition, connection)
    }
    let inspection = IndexInspection(schema: schema.name)
    if let found = try inspection.relation(named: work.index.name, connection) {
      guard found.table == work.table.name, found.constraint == nil,
        try found.shape == shape(of: work.index, table, connection)
      else { throw otherObject(work.index.name, work.table) }
      if found.isValid { return }
      try dropIndex(work.index.name, of: table, connection)
    }
    try retryingLocks(of: work.table, connection) { connection in
      try transact(briefly, connection) { connection in
        try runPlanned(work.index.creation(of: table), connection)
      }
    }
  }

  /// Has an index be there and complete, however often it has been begun before.
  func build(
    _ index: Index,
    of table: QualifiedName,
    _ connection: borrowing PostgresConnection
  ) throws {
    let inspection = IndexInspection(schema: table.schema)
    while true {
      guard let found = try inspection.relation(named: index.name, connection) else {
        try create(index, of: table, connection)
        continue
      }
      guard found.table == table.name.name, found.constraint == nil,
        try found.shape == shape(of: index, table, connection)
      else { throw otherObject(index.name, table.name) }
      if found.isValid { return }
      // An invalid index of an earlier attempt slows writers down and is not used.
      try dropIndex(index.name, of: table, connection)
    }
  }

  private func create(
    _ index: Index,
    of table: QualifiedName,
    _ connection: borrowing PostgresConnection
  ) throws {
    do {
      try runAlone(index.creation(of: table, isConcurrent: true), of: table, connection)
    } catch let error as PostgresError {
      // The rows have to be fixed first; after any other error the next attempt removes the index.
      guard error.sqlState?.isIntegrityViolation == true else { throw error }
      let found = try IndexInspection(schema: table.schema).relation(named: index.name, connection)
      if found?.isValid == false, found?.table == table.name.name {
        // Do not wait for transactions of others before people can fix the rows.
        try? runBriefly(removal(of: index.name, on: table), connection)
      }
      throw error
    }
  }

  private func shape(
    of index: Index,
    _ table: QualifiedName,
    _ connection: borrowing PostgresConnection
  ) throws -> String? {
    let settings = [Transaction.lockTimeout(briefly)]
    return try runner.transact(Transaction(settings: settings, isRolledBack: true), connection) {
      try IndexInspection(schema: table.schema).shape(of: index, on: table.name, $0)
    }
  }

  /// Drops an index while others read and write; that of a partitioned table in a moment.
  func dropIndex(
    _ name: SQLIdentifier,
    of table: QualifiedName,
    _ connection: borrowing PostgresConnection
  ) throws {
    guard table.schema == schema.name, try partitions(of: table.name, connection) != nil else {
      return try runAlone(removal(of: name, on: table), of: table, connection)
    }
    try retryingLocks(of: table.name, connection) { connection in
      try transact(briefly, connection) { connection in
        let index = QualifiedName(schema: table.schema, name: name)
        try runPlanned("DROP INDEX IF EXISTS \(index)", connection)
      }
    }
  }

  private func removal(of index: SQLIdentifier, on table: QualifiedName) -> SQLFragment {
    "DROP INDEX CONCURRENTLY IF EXISTS \(QualifiedName(schema: table.schema, name: index))"
  }
}
