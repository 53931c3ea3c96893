internal import MigrationPlanning
internal import PostgresClient
internal import SQLSyntax

extension DeferredWorkSession {
  /// Has an index be there and complete, however often it has been begun before.
  func build(
    _ index: Index,
    of table: SQLIdentifier,
    _ connection: borrowing PostgresConnection
  ) throws {
    let inspection = IndexInspection(schema: schema.name)
    while true {
      guard let found = try inspection.relation(named: index.name, connection) else {
        try create(index, of: table, connection)
        continue
      }
      guard found.table == table.name, found.constraint == nil,
        try found.shape == shape(of: index, table, connection)
      else { throw otherObject(index.name, table) }
      if found.isValid { return }
      // What an earlier attempt has left slows writers down and serves nobody.
      try dropIndex(index.name, of: table, connection)
    }
  }

  private func create(
    _ index: Index,
    of table: SQLIdentifier,
    _ connection: borrowing PostgresConnection
  ) throws {
    let owner = QualifiedName(schema: schema.name, name: table)
    do {
      try runAlone(index.creation(of: owner, isConcurrent: true), of: table, connection)
    } catch let error as PostgresError {
      // Somebody has to mend the rows first; all else leaves what there is to the next attempt.
      guard error.sqlState?.isIntegrityViolation == true else { throw error }
      let found = try IndexInspection(schema: schema.name).relation(named: index.name, connection)
      if found?.isValid == false, found?.table == table.name {
        // Whoever has to mend the rows is not to wait for transactions of others.
        try? runBriefly(removal(of: index.name), connection)
      }
      throw error
    }
  }

  private func shape(
    of index: Index,
    _ table: SQLIdentifier,
    _ connection: borrowing PostgresConnection
  ) throws -> String? {
    try connection.execute(
      "BEGIN; SET LOCAL lock_timeout = \(SQLLiteral.integer(impatience))"
    )
    do {
      let shape = try IndexInspection(schema: schema.name).shape(of: index, on: table, connection)
      try connection.execute("ROLLBACK")
      return shape
    } catch {
      if !connection.isBroken { _ = try? connection.execute("ROLLBACK") }
      throw error
    }
  }

  func dropIndex(
    _ name: SQLIdentifier,
    of table: SQLIdentifier,
    _ connection: borrowing PostgresConnection
  ) throws {
    try runAlone(removal(of: name), of: table, connection)
  }

  private func removal(of index: SQLIdentifier) -> SQLFragment {
    "DROP INDEX CONCURRENTLY IF EXISTS \(QualifiedName(schema: schema.name, name: index))"
  }
}
