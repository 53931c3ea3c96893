package import MigrationPlanning
package import PostgresClient
package import SQLSyntax

/// Looks at who uses the interfaces of a store, and at whether they are there.
package struct InterfaceInspection {
  /// The sessions that use a version, as far as the server shows it.
  package struct Use: Hashable, Sendable {
    /// The names of their applications, or their processes where they have none.
    package let sessions: [String]
    /// For how many seconds none has done anything; `nil` if the role may not see that.
    package let idleSeconds: Int?
  }

  private let interface: VersionInterface

  /// Creates an inspection of one interface.
  package init(_ interface: VersionInterface) {
    self.interface = interface
  }

  /// Reads which sessions use the version: those that its URL has named, and those that hold locks of
  /// its views.
  package func use(_ connection: borrowing PostgresConnection) throws -> Use {
    let name = interface.schema.name
    let rows = try connection.query(
      """
      SELECT a.pid, a.usename, nullif(a.application_name, '') AS application, \
      extract(epoch FROM clock_timestamp() - a.state_change)::bigint AS idle \
      FROM pg_stat_activity AS a WHERE a.datname = current_database() \
      AND a.pid <> pg_backend_pid() AND (a.application_name = $1 \
      OR right(a.application_name, length($1) + 1) = ' ' || $1 OR EXISTS (SELECT FROM pg_locks AS l \
      JOIN pg_class AS c ON c.oid = l.relation JOIN pg_namespace AS n ON n.oid = c.relnamespace \
      WHERE l.pid = a.pid AND l.database = a.datid AND n.nspname = $1)) ORDER BY a.pid
      """,
      [name]
    )
    let idle = rows.compactMap { $0.integer("idle") }
    return Use(
      sessions: rows.map { row in
        "process \(row["pid"] ?? "?")"
          + (row["usename"].map { " of role \"\($0)\"" } ?? "")
          + (row["application"].map { ", application \"\($0)\"" } ?? "")
      },
      idleSeconds: idle.min().map { max(0, $0) }
    )
  }

  /// What a view shows, as far as it is compared.
  package struct Shape: Hashable, Sendable {
    /// The names of its columns, in order.
    package let columns: [String]
    /// The tables and their columns that it reads, with their schemas, in order.
    package let sources: [String]
    /// A Boolean value that indicates whether its reader needs the rights of the tables.
    package let checksReader: Bool
  }

  /// Reads what the views in the schema of the interface show.
  ///
  /// - Parameter connection: The database.
  /// - Returns: The views by name.
  /// - Throws: The server's error.
  package func shapes(
    _ connection: borrowing PostgresConnection
  ) throws -> [SQLIdentifier: Shape] {
    let rows = try connection.query(
      """
      SELECT c.relname, coalesce('security_invoker=true' = ANY (c.reloptions), false) AS is_invoker, \
      (SELECT json_agg(a.attname ORDER BY a.attnum) FROM pg_attribute AS a \
      WHERE a.attrelid = c.oid AND a.attnum > 0) AS columns, \
      (SELECT json_agg(DISTINCT concat_ws('.', m.nspname, t.relname, a.attname)) \
      FROM pg_rewrite AS r JOIN pg_depend AS d ON d.classid = 'pg_rewrite'::regclass \
      AND d.objid = r.oid AND d.refclassid = 'pg_class'::regclass AND d.refobjid <> c.oid \
      JOIN pg_class AS t ON t.oid = d.refobjid JOIN pg_namespace AS m ON m.oid = t.relnamespace \
      JOIN pg_attribute AS a ON a.attrelid = t.oid AND a.attnum = d.refobjsubid \
      WHERE r.ev_class = c.oid) AS sources \
      FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace \
      WHERE n.nspname = $1 AND c.relkind = 'v'
      """,
      [interface.schema.name]
    )
    return Dictionary(
      rows.map { row in
        (
          SQLIdentifier(row["relname"] ?? ""),
          Shape(
            columns: JSONText.strings(in: row["columns"]),
            sources: JSONText.strings(in: row["sources"]).sorted(),
            checksReader: row.boolean("is_invoker") == true
          )
        )
      },
      uniquingKeysWith: { first, _ in first }
    )
  }

  /// Returns what a view has to show.
  ///
  /// - Parameter view: The view.
  /// - Returns: Its shape.
  package static func shape(of view: VersionInterface.Relation) -> Shape {
    Shape(
      columns: view.columns.map(\.name.name),
      sources: view.origin.map { origin in
        view.columns.map { "\(origin.schema.name).\(origin.name.name).\($0.source.name)" }
          .sorted()
      } ?? [],
      checksReader: true
    )
  }

  /// A trigger that keeps a table in step, as the database has it.
  package struct Trigger {
    /// The code of its function.
    package let code: String
    /// Whether it fires for what replication writes as well.
    package let firesAlways: Bool
    /// The columns that its condition or its event names.
    package let readColumns: Set<SQLIdentifier>
  }

  /// Reads the triggers that keep tables in step, with the code of their functions.
  ///
  /// - Parameters:
  ///   - schema: The schema of the tables.
  ///   - connection: The database.
  /// - Returns: Each trigger that fires, by its table and name.
  /// - Throws: The server's error.
  package func triggers(
    in schema: SQLIdentifier,
    _ connection: borrowing PostgresConnection
  ) throws -> [SQLIdentifier: [SQLIdentifier: Trigger]] {
    let rows = try connection.query(
      """
      SELECT c.relname, g.tgname, p.prosrc, g.tgenabled = 'A' AS always, \
      (SELECT json_agg(a.attname) FROM pg_depend AS d JOIN pg_attribute AS a \
      ON a.attrelid = d.refobjid AND a.attnum = d.refobjsubid WHERE d.classid = 'pg_trigger'::regclass \
      AND d.objid = g.oid AND d.refclassid = 'pg_class'::regclass) AS columns FROM pg_trigger AS g \
      JOIN pg_class AS c ON c.oid = g.tgrelid \
      JOIN pg_namespace AS n ON n.oid = c.relnamespace JOIN pg_proc AS p ON p.oid = g.tgfoid \
      JOIN pg_namespace AS m ON m.oid = p.pronamespace WHERE NOT g.tgisinternal AND g.tgenabled IN ('A', 'O') \
      AND n.nspname = $1 AND m.nspname = $2
      """,
      [schema.name, interface.schema.name]
    )
    var found: [SQLIdentifier: [SQLIdentifier: Trigger]] = [:]
    for row in rows {
      found[SQLIdentifier(row["relname"] ?? ""), default: [:]][SQLIdentifier(row["tgname"] ?? "")] =
        Trigger(
          code: row["prosrc"] ?? "",
          firesAlways: row.boolean("always") == true,
          readColumns: Set(JSONText.strings(in: row["columns"]).map { SQLIdentifier($0) })
        )
    }
    return found
  }
}

extension InterfaceInspection.Shape: CustomStringConvertible {
  /// What the view shows, in a line.
  package var description: String {
    let names = columns.joined(separator: ", ")
    let reader = checksReader ? "" : ", with the rights of its owner"
    return sources.isEmpty
      ? "(\(names)), of no table\(reader)"
      : "(\(names)) from \(sources.joined(separator: ", "))\(reader)"
  }
}
