package import Diagnostics
package import PostgresClient
internal import SQLSyntax

/// Reads whether the nodes of a database that Citus spreads over several servers are up, and at one with each
/// other.
package enum NodeInspection {
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
