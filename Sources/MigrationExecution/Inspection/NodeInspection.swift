package import Diagnostics
package import PostgresClient
internal import SQLSyntax

/// A server of a database that Citus spreads over several.
public struct DatabaseNode: Hashable, Sendable {
  /// The name or address by which the others know it.
  public let host: String
  /// Its port.
  public let port: Int
  /// A Boolean value that indicates whether it is the one to connect to.
  public let isCoordinator: Bool
  /// A Boolean value that indicates whether it has rows of distributed tables.
  public let hasShards: Bool
}

/// Reads whether the nodes of a database that Citus spreads over several servers are up, and at one with each
/// other.
package enum NodeInspection {
  /// Returns the nodes, the coordinator first.
  ///
  /// - Parameter connection: A prepared session.
  /// - Returns: The nodes; none without Citus.
  /// - Throws: The server's error.
  package static func nodes(_ connection: borrowing PostgresConnection) throws -> [DatabaseNode] {
    guard connection.hasCitus else { return [] }
    return try connection.query(
      """
      SELECT nodename, nodeport, groupid = 0 AS coordinates, shouldhaveshards AS shards \
      FROM pg_dist_node WHERE noderole = 'primary' AND isactive ORDER BY groupid
      """
    ).map { row in
      DatabaseNode(
        host: row["nodename"] ?? "",
        port: row.integer("nodeport") ?? 0,
        isCoordinator: row.boolean("coordinates") == true,
        hasShards: row.boolean("shards") == true
      )
    }
  }

  /// Refuses to begin while a node does not answer.
  ///
  /// - Parameter connection: A prepared session.
  /// - Throws: An error that names the node.
  package static func refuseSilentNode(
    _ connection: borrowing PostgresConnection
  ) throws(PostgresError) {
    // A role without the right to query the nodes learns it from the first statement.
    let rows = try? connection.query(
      """
      SELECT nodename, nodeport, result FROM run_command_on_workers('SELECT 1') \
      WHERE NOT success ORDER BY 1, 2
      """
    )
    guard let row = rows?.first else { return }
    throw PostgresError(
      .connection,
      "node \(row["nodename"] ?? ""):\(row["nodeport"] ?? "") does not answer",
      detail: row["result"].map { "It says: \($0)" },
      hint: "Nothing has been changed; run again when it is up."
    )
  }

  /// Returns warnings about nodes that do not answer, and about transactions that have ended on the
  /// coordinator alone.
  ///
  /// - Parameter connection: A prepared session outside of a transaction.
  /// - Returns: The warnings; none without Citus.
  package static func warnings(_ connection: borrowing PostgresConnection) -> [Diagnostic] {
    guard connection.hasCitus, connection.transactionStatus == .idle, !connection.isBroken else {
      return []
    }
    // Another search path may be set there.
    let unfinished: SQLFragment = """
      SELECT pg_catalog.count(*) FROM pg_catalog.pg_prepared_xacts \
      WHERE gid OPERATOR(pg_catalog.~~) 'citus\\_%' \
      AND database OPERATOR(pg_catalog.=) pg_catalog.current_database()
      """
    // A role without the right to query the nodes gets no warnings.
    let rows = try? connection.query(
      """
      SELECT nodename, nodeport, success, result \
      FROM run_command_on_workers(\(text: unfinished.text)) ORDER BY 1, 2
      """
    )
    return (rows.map(Array.init) ?? []).compactMap { row in
      let node = "node \(row["nodename"] ?? ""):\(row["nodeport"] ?? "")"
      guard row.boolean("success") == true else {
        return Diagnostic(
          .warning,
          "\(node) does not answer",
          detail: row["result"].map { "It says: \($0)" },
          hint:
            "A change of a table that has rows on it fails, and changes nothing, until it is up."
        )
      }
      guard let count = row["result"].flatMap({ Int($0) }), count > 0 else { return nil }
      return Diagnostic(
        .warning,
        "\(node) has not ended \(count == 1 ? "a transaction" : "\(count) transactions") that "
          + "the coordinator has",
        detail: "Statements on the tables of these wait until then.",
        hint:
          "Citus ends them within a minute; SELECT recover_prepared_transactions() does so at once."
      )
    }
  }
}
