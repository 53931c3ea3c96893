package import MigrationPlanning
package import PostgresClient
package import SQLSyntax

/// The server's knowledge, at one moment of a transaction, of the tables that existed before.
package struct TableObservation: Hashable, Sendable {
  /// The OID of a table.
  package typealias TableID = Int

  /// A table.
  package struct Table: Hashable, Sendable {
    /// Its name at that moment.
    package var name: QualifiedName
    fileprivate var fileNode: String?
    /// The number of scans that this transaction has begun.
    fileprivate var scans: Int
    /// How many of its rows this transaction has got one by one.
    fileprivate var fetches: Int
    /// How many rows it has, as estimated.
    fileprivate var rows: Int
  }

  /// The tables by their OIDs.
  package let tables: [TableID: Table]
  /// The strongest lock of this transaction on each of them, and on dropped ones.
  package let locks: [TableID: LockMode]

  /// Looks at all tables but the server's own.
  ///
  /// The look itself locks none of them.
  ///
  /// - Parameters:
  ///   - excluded: A schema that does not count.
  ///   - connection: The session that is watched.
  /// - Throws: The server's error.
  package init(
    leavingOut excluded: SQLIdentifier? = nil,
    _ connection: borrowing PostgresConnection
  ) throws {
    let rows = try connection.query(
      """
      SELECT c.oid, n.nspname, c.relname, pg_relation_filenode(c.oid) AS file_node, \
      pg_stat_get_xact_numscans(c.oid) AS scans, \
      greatest(pg_stat_get_xact_tuples_fetched(c.oid), \
      (SELECT sum(greatest(pg_stat_get_xact_tuples_fetched(i.indexrelid), \
      pg_stat_get_xact_tuples_returned(i.indexrelid))) \
      FROM pg_index i WHERE i.indrelid = c.oid))::bigint AS fetches, \
      greatest(c.reltuples, 0)::bigint AS rows \
      FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace \
      WHERE c.relkind IN ('r', 'p') AND n.nspname <> 'information_schema' \
      AND n.nspname NOT LIKE 'pg\\_%' AND n.nspname <> \(text: excluded?.name ?? "")
      """
    )
    tables = rows.reduce(into: [:]) { tables, row in
      guard let id = row.integer("oid"), let schema = row["nspname"], let name = row["relname"]
      else { return }
      tables[id] = Table(
        name: QualifiedName(schema: SQLIdentifier(schema), name: SQLIdentifier(name)),
        fileNode: row["file_node"],
        scans: row.integer("scans") ?? 0,
        fetches: row.integer("fetches") ?? 0,
        rows: row.integer("rows") ?? 0
      )
    }
    locks = try connection.query(
      """
      SELECT relation, mode FROM pg_locks \
      WHERE pid = pg_backend_pid() AND locktype = 'relation' AND granted \
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
      """
    ).reduce(into: [:]) { locks, row in
      guard let id = row.integer("relation"),
        let mode = LockMode.allCases.first(where: { $0.lockName == row["mode"] })
      else { return }
      locks[id] = max(locks[id] ?? mode, mode)
    }
  }

  /// Returns the changes between an earlier moment and this one.
  ///
  /// - Parameters:
  ///   - earlier: The state before, in the same transaction.
  ///   - known: The tables that count: those that other sessions may use.
  ///   - smallestTable: The minimum number of rows of a table whose reads count: of a smaller one,
  ///     the server may read all to find one.
  ///   - fewestFetches: The minimum number of single row reads that count as a scan of the table.
  /// - Returns: New or stronger locks, rewritten tables and scanned ones, by the names before.
  package func impact(
    since earlier: TableObservation,
    on known: Set<TableID>,
    smallestTable: Int = 0,
    fewestFetches: Int = 1
  ) -> MeasuredImpact {
    var impact = MeasuredImpact()
    for (id, mode) in locks where known.contains(id) {
      guard let name = (earlier.tables[id] ?? tables[id])?.name else { continue }
      if let held = earlier.locks[id], held >= mode { continue }
      impact.locks[name] = mode
    }
    for (id, old) in earlier.tables where known.contains(id) {
      guard let new = tables[id] else { continue }
      if new.fileNode != old.fileNode { impact.rewrites.insert(old.name) }
      guard max(old.rows, new.rows) >= smallestTable else {
        impact.unmeasured.insert(old.name)
        continue
      }
      let rows = max(old.rows, fewestFetches)
      let fetches = new.fetches - old.fetches
      if new.scans > old.scans {
        impact.scans.insert(old.name)
      } else if fetches >= rows {
        impact.lookups.insert(old.name)
      }
    }
    return impact
  }
}

/// The measured locks and effects of a statement.
package struct MeasuredImpact: Hashable, Sendable {
  /// The locks that are new, or stronger than before.
  package var locks: [QualifiedName: LockMode] = [:]
  /// The tables that were rewritten.
  package var rewrites: Set<QualifiedName> = []
  /// The tables that were read from end to end.
  package var scans: Set<QualifiedName> = []
  /// The tables of which as many rows as they have were read one by one through an index.
  package var lookups: Set<QualifiedName> = []
  /// The tables for which it is unknown whether they were read.
  package var unmeasured: Set<QualifiedName> = []
  /// Whether rows were written.
  package var changesRows = true

  /// Creates the measurement of a statement without effects.
  package init() {}
}

extension LockMode {
  /// The name in `pg_locks`.
  fileprivate var lockName: String {
    name.split(separator: " ").map { $0.prefix(1) + $0.dropFirst().lowercased() }.joined() + "Lock"
  }
}
