import PostgresClient
import SQLSyntax
import TestSupport

@testable import MigrationPlanning

/// What an operation did to the tables that there are, by the names that they had before.
struct ClaimMeasurement: Equatable {
  var locks: [SQLIdentifier: LockMode] = [:]
  var rewrites: Set<SQLIdentifier> = []
  var scans: Set<SQLIdentifier> = []

  /// Carries out the operation of a case in a database with the tables of the cases.
  static func of(_ claim: ClaimCase) async throws -> ClaimMeasurement {
    try await TestServer.withDatabase { url in
      let connection = try PostgresConnection(to: .url(url))
      try connection.prepareSession()
      try connection.execute(ClaimCase.tables)
      if let preparation = claim.preparation { try connection.execute(preparation) }
      return try of(claim, connection)
    }
  }

  private static func of(
    _ claim: ClaimCase,
    _ connection: borrowing PostgresConnection
  ) throws -> ClaimMeasurement {
    let statements = StatementCompiler.statements(
      for: [claim.operation],
      in: DatabaseSchema(name: "s")
    )
    try connection.execute("BEGIN; SET CONSTRAINTS ALL IMMEDIATE")
    let before = try TableState.all(connection)
    for statement in statements { try connection.execute(statement.sql) }
    let locks = try heldLocks(connection)
    let after = try TableState.all(connection)
    try connection.execute("ROLLBACK")

    var measurement = ClaimMeasurement()
    for (oid, mode) in locks {
      guard let name = (before[oid] ?? after[oid])?.name else { continue }
      measurement.locks[name] = max(measurement.locks[name] ?? mode, mode)
    }
    for (oid, old) in before {
      guard let new = after[oid] else { continue }
      if new.fileNode != old.fileNode { measurement.rewrites.insert(old.name) }
      // Keys are looked up row by row, which is no matter of the operation.
      let mayFetch = claim.keyLocks[old.name] == nil
      if new.scans > old.scans || mayFetch && new.fetches - old.fetches >= ClaimCase.rowCount {
        measurement.scans.insert(old.name)
      }
    }
    return measurement
  }

  private static func heldLocks(
    _ connection: borrowing PostgresConnection
  ) throws -> [(oid: Int, mode: LockMode)] {
    try connection.query(
      """
      SELECT relation, mode FROM pg_locks \
      WHERE pid = pg_backend_pid() AND locktype = 'relation' AND granted
      """
    ).compactMap { row in
      let mode = LockMode.allCases.first { $0.lockName == row["mode"] }
      return row.integer("relation").flatMap { oid in mode.map { (oid, $0) } }
    }
  }
}

/// What the server knows of a table.
private struct TableState {
  var name: SQLIdentifier
  var fileNode: String?
  /// How often this session has begun to read it from end to end.
  var scans: Int
  /// How many of its rows this session has got through indexes.
  var fetches: Int

  /// Returns what is known of all tables, by their OIDs.
  static func all(_ connection: borrowing PostgresConnection) throws -> [Int: TableState] {
    let rows = try connection.query(
      """
      SELECT oid, relname, pg_relation_filenode(oid) AS file_node, \
      pg_stat_get_xact_numscans(oid) AS scans, pg_stat_get_xact_tuples_fetched(oid) \
      + (SELECT coalesce(sum(pg_stat_get_xact_tuples_fetched(indexrelid)), 0) FROM pg_index \
      WHERE indrelid = oid) AS fetches \
      FROM pg_class WHERE relnamespace = 's'::regnamespace AND relkind = 'r'
      """
    )
    return rows.reduce(into: [:]) { states, row in
      guard let oid = row.integer("oid"), let name = row["relname"] else { return }
      states[oid] = TableState(
        name: SQLIdentifier(name),
        fileNode: row["file_node"],
        scans: row.integer("scans") ?? 0,
        fetches: row.integer("fetches") ?? 0
      )
    }
  }
}

extension LockMode {
  /// The name in `pg_locks`.
  fileprivate var lockName: String {
    name.split(separator: " ").map { $0.prefix(1) + $0.dropFirst().lowercased() }.joined() + "Lock"
  }
}
