package import SQLSyntax

/// The triggers on a source of a copy, which capture its changes or refuse writes.
package struct SourceGuard: Hashable, Sendable {
  private let source: CopySource
  private let table: QualifiedName
  private let stagingSchema: SQLIdentifier

  /// Creates the guard of a source of a plan.
  package init(of source: CopySource, in plan: CopyPlan) {
    self.source = source
    table = QualifiedName(schema: plan.schema, name: source.table)
    stagingSchema = plan.stagingSchema
  }

  /// Returns the statements after whose commit triggers capture every change, or refuse writes.
  package func installation(isOnline: Bool) -> [SQLFragment] { isOnline ? capture : gate }

  /// Returns the statements that undo ``installation(isOnline:)``, whatever there is of it.
  package func removal(isOnline: Bool) -> [SQLFragment] { isOnline ? captureRemoval : gateRemoval }

  private func staged(_ prefix: String) -> QualifiedName {
    QualifiedName(
      schema: stagingSchema,
      name: StorageNames.fitted(prefix + source.table.name)
    )
  }

  // MARK: - Inspection

  /// A query with one row and one column of text, which changes when a source does: its columns,
  /// their types, triggers, rules, row security, inheritance, or the capture of its changes.
  ///
  /// It does not depend on the table's file: TRUNCATE gives it a new one, and is captured.
  package var fingerprint: SQLFragment {
    """
    SELECT md5(concat_ws('|', c.oid, c.relkind, c.relpersistence, c.relrowsecurity,
        c.relforcerowsecurity,
        (SELECT string_agg(concat_ws(' ', a.attnum, a.attname, a.atttypid, a.atttypmod,
              a.attnotnull, a.attgenerated, a.attisdropped, a.attcollation, a.xmin), ',' ORDER BY a.attnum)
          FROM pg_attribute AS a WHERE a.attrelid = c.oid AND a.attnum > 0),
        (SELECT string_agg(concat_ws(' ', d.adnum, d.adbin), ',' ORDER BY d.adnum)
          FROM pg_attrdef AS d JOIN pg_attribute AS a ON a.attrelid = d.adrelid AND a.attnum = d.adnum
          WHERE d.adrelid = c.oid AND a.attgenerated <> ''),
        (SELECT string_agg(concat_ws(' ', t.oid, t.tgname, t.tgenabled, t.tgtype, t.tgfoid, t.tgqual),
              ',' ORDER BY t.tgname)
          FROM pg_trigger AS t WHERE t.tgrelid = c.oid AND NOT t.tgisinternal),
        (SELECT string_agg(concat_ws(' ', p.oid, p.prosrc, p.prosecdef, p.proconfig, p.proowner),
              ',' ORDER BY p.oid)
          FROM pg_trigger AS t JOIN pg_proc AS p ON p.oid = t.tgfoid
            JOIN pg_namespace AS n ON n.oid = p.pronamespace
          WHERE t.tgrelid = c.oid AND n.nspname = \(.text(stagingSchema.name))),
        (SELECT string_agg(concat_ws(' ', r.rulename, r.ev_enabled, r.ev_action), ',' ORDER BY r.rulename)
          FROM pg_rewrite AS r WHERE r.ev_class = c.oid),
        (SELECT string_agg(concat_ws(' ', p.polname, p.polcmd, p.polroles, p.polqual, p.polwithcheck),
              ',' ORDER BY p.polname)
          FROM pg_policy AS p WHERE p.polrelid = c.oid),
        (SELECT string_agg(concat_ws(' ', i.inhrelid, i.inhparent), ',' ORDER BY i.inhrelid, i.inhparent)
          FROM pg_inherits AS i WHERE c.oid IN (i.inhrelid, i.inhparent))\(partsPrint)
      )) AS fingerprint
      FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
      WHERE n.nspname = \(.text(table.schema.name)) AND c.relname = \(.text(table.name.name))
    """
  }

  /// The part of the fingerprint that is about partitions, and the triggers on them.
  private var partsPrint: SQLFragment {
    guard source.isPartitioned else { return "" }
    return """
      ,
          (SELECT string_agg(concat_ws(' ', p.relid::oid, t.oid, t.tgname, t.tgenabled, t.tgfoid), ','
              ORDER BY p.relid::oid, t.tgname)
            FROM pg_partition_tree(c.oid) AS p LEFT JOIN pg_trigger AS t
              ON t.tgrelid = p.relid AND NOT t.tgisinternal)
      """
  }

  /// A query for the obstacles to capturing the changes of a source: a row for each one, with a
  /// ``CaptureObstacle`` in its only column.
  package var captureObstacles: SQLFragment {
    """
    SELECT o.obstacle
      FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace,
        LATERAL (VALUES
          (\(.text(CaptureObstacle.isPartitioned.rawValue)),
            c.relispartition OR c.relkind \(source.isPartitioned ? "<>" as SQLFragment : "=") 'p'),
          (\(.text(CaptureObstacle.isNotATable.rawValue)), c.relkind NOT IN ('r', 'p')),
          (\(.text(CaptureObstacle.isInherited.rawValue)),
            c.relkind = 'r' AND NOT c.relispartition AND EXISTS (
              SELECT FROM pg_inherits AS i WHERE c.oid IN (i.inhrelid, i.inhparent))),
          (\(.text(CaptureObstacle.hidesRows.rawValue)), row_security_active(c.oid)),
          (\(.text(CaptureObstacle.isNotLogged.rawValue)), c.relpersistence <> 'p')
        ) AS o (obstacle, is_met)
      WHERE n.nspname = \(.text(table.schema.name)) AND c.relname = \(.text(table.name.name))
        AND o.is_met
    """
  }

  // MARK: - Capture

  /// The column of a queue with the kind of an entry; no column of a source has this name.
  static let entryKind: SQLIdentifier = "~remodel_kind"

  /// The name of the table that has the keys of changed rows.
  package var queue: QualifiedName { staged("queue_") }

  /// Returns the name of a function that puts entries into the queue of a source.
  private func name(of function: CaptureFunction) -> QualifiedName { staged(function.prefix) }

  /// The statements after whose commit every change of a source is in its queue.
  ///
  /// Creating the triggers waits for all writers of the source, so that later snapshots see all
  /// rows without an entry.
  var capture: [SQLFragment] {
    queueCreation
      + CaptureFunction.allCases.flatMap { function -> [SQLFragment] in
        let name = name(of: function)
        return [
          // A caller could change the names that a definer's function resolves; and the tables that
          // it writes to may call functions of others, which resolve names in any way.
          """
          CREATE FUNCTION \(name)() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
            SET search_path = \(.catalogPath) AS \(body(of: function).dollarQuoted)
          """,
          "REVOKE ALL ON FUNCTION \(name)() FROM PUBLIC",
        ]
      }
      + triggers.flatMap { trigger, event, function in
        [
          """
          CREATE TRIGGER \(trigger.name) AFTER \(event)
            EXECUTE FUNCTION \(name(of: function))()
          """,
          // Sessions that play back others' changes fire no ordinary triggers.
          "ALTER TABLE \(table) ENABLE ALWAYS TRIGGER \(trigger.name)",
        ]
      }
      // The partitions have triggers of rows by themselves.
      + onPartitions([
        (
          "CREATE TRIGGER \(CaptureTrigger.truncate.name) AFTER TRUNCATE ON ",
          " FOR EACH STATEMENT EXECUTE FUNCTION \(name(of: .emptying))()"
        ),
        ("ALTER TABLE ", " ENABLE ALWAYS TRIGGER \(CaptureTrigger.truncate.name)"),
      ])
  }

  /// Returns the statement that runs others for each partition of the source, whose name is between their two
  /// parts; none if it has no partitions.
  private func onPartitions(_ statements: [(SQLFragment, SQLFragment)]) -> [SQLFragment] {
    guard source.isPartitioned else { return [] }
    let condition: SQLFragment = "p.parentrelid IS NOT NULL"
    return [PartitionLoop(table: table, condition: condition, statements: statements).sql]
  }

  private var triggers: [(trigger: CaptureTrigger, event: SQLFragment, function: CaptureFunction)] {
    let captured = source.captured
    let others = source.watched.filter { name in !captured.contains { $0.name == name } }
    let row: SQLFragment = "ON \(table) FOR EACH ROW"
    var triggers: [(CaptureTrigger, SQLFragment, CaptureFunction)] = [
      (.row, "INSERT \(row)", .newRow),
      (.deletion, "DELETE \(row)", .oldRow),
      (.move, "UPDATE \(row) WHEN (\(differs(captured)))", .bothRows),
      (.truncate, "TRUNCATE ON \(table) FOR EACH STATEMENT", .emptying),
    ]
    if !others.isEmpty {
      // To compare rows takes longer than to note one.
      let condition: SQLFragment =
        source.isWatchedWhole ? "" : " WHEN (\(imageDiffers(others, "OLD", "NEW")))"
      triggers.append((.update, "UPDATE \(row)\(condition)", .newRow))
    }
    return triggers
  }

  /// Returns the condition that an update changes a value of some columns.
  private func differs(_ columns: [CopySource.KeyColumn]) -> SQLFragment {
    guard columns.allSatisfy(\.hasExactEquality) else {
      return imageDiffers(columns.map(\.name), "OLD", "NEW")
    }
    return columns.map { "OLD.\($0.name) IS DISTINCT FROM NEW.\($0.name)" as SQLFragment }
      .joined(separator: " OR ")
  }

  /// The statements that undo ``capture``, whatever there is of it.
  private var captureRemoval: [SQLFragment] {
    CaptureTrigger.allCases.map { "DROP TRIGGER IF EXISTS \($0.name) ON \(table)" }
      + onPartitions([("DROP TRIGGER IF EXISTS \(CaptureTrigger.truncate.name) ON ", "")])
      + CaptureFunction.allCases.map {
        "DROP FUNCTION IF EXISTS \(name(of: $0))()"
      }
      + ["DROP TABLE IF EXISTS \(queue)"]
  }

  private var queueCreation: [SQLFragment] {
    // A constant of unknown type turns a domain into its base type: the domain's checks, which may
    // forbid NULL, do not apply to entries, and must not run with the rights of the queue's owner.
    let columns = source.captured.map {
      ", COALESCE(NULL::\($0.type), NULL) AS \($0.name)" as SQLFragment
    }.joined(separator: "")
    return [
      // No key: an index would cost every write. Nothing but the copy empties it, so that no
      // automatic vacuum has to.
      """
      CREATE TABLE \(queue) WITH (autovacuum_enabled = off)
        AS SELECT NULL::"char" AS \(Self.entryKind)\(columns) WITH NO DATA
      """,
      "ALTER TABLE \(queue) ALTER \(Self.entryKind) SET NOT NULL",
      // In a publication of all tables, rows can only be deleted from tables with a replica
      // identity.
      "ALTER TABLE \(queue) REPLICA IDENTITY FULL",
    ]
  }

  private func body(of function: CaptureFunction) -> SQLFragment {
    let columns = source.captured.map(\.name)
    let insertion: SQLFragment =
      "INSERT INTO \(queue) (\(Self.entryKind), \(columns)) VALUES "
    let old: SQLFragment = "('R', \(values(columns, "OLD")))"
    let new: SQLFragment = "('R', \(values(columns, "NEW")))"
    let statement: SQLFragment =
      switch function {
      case .newRow: "\(insertion)\(new)"
      case .oldRow: "\(insertion)\(old)"
      case .bothRows: "\(insertion)\(old), \(new)"
      case .emptying: "INSERT INTO \(queue) (\(Self.entryKind)) VALUES ('T')"
      }
    return """

      BEGIN
        \(statement);
        RETURN NULL;
      END

      """
  }

  // MARK: - Gate

  private static let gateTrigger: SQLIdentifier = "~remodel_gate"

  private var gateFunction: QualifiedName { staged("gate_") }

  /// The statements after whose commit nobody writes to a source.
  ///
  /// A lock would end with its session; a trigger persists, even if the server restarts.
  private var gate: [SQLFragment] {
    let body: SQLFragment = """

      BEGIN
        RAISE EXCEPTION USING ERRCODE = '57M01',
          MESSAGE = format('table "%s" cannot be written to: a migration is in progress', TG_TABLE_NAME),
          HINT = 'Try again when the migration has ended.';
      END

      """
    return [
      """
      CREATE FUNCTION \(gateFunction)() RETURNS trigger LANGUAGE plpgsql
        SET search_path = \(.catalogPath) AS \(body.dollarQuoted)
      """,
      "REVOKE ALL ON FUNCTION \(gateFunction)() FROM PUBLIC",
      """
      CREATE TRIGGER \(Self.gateTrigger) BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON \(table)
        FOR EACH STATEMENT EXECUTE FUNCTION \(gateFunction)()
      """,
      "ALTER TABLE \(table) ENABLE ALWAYS TRIGGER \(Self.gateTrigger)",
    ]
      + onPartitions([
        (
          "CREATE TRIGGER \(Self.gateTrigger) BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON ",
          " FOR EACH STATEMENT EXECUTE FUNCTION \(gateFunction)()"
        ),
        ("ALTER TABLE ", " ENABLE ALWAYS TRIGGER \(Self.gateTrigger)"),
      ])
  }

  /// The statements that undo ``gate``, whatever there is of it.
  private var gateRemoval: [SQLFragment] {
    ["DROP TRIGGER IF EXISTS \(Self.gateTrigger) ON \(table)"]
      + onPartitions([("DROP TRIGGER IF EXISTS \(Self.gateTrigger) ON ", "")])
      + ["DROP FUNCTION IF EXISTS \(gateFunction)()"]
  }
}

/// Why the changes of a table cannot be captured.
package enum CaptureObstacle: String, Hashable, Sendable, CaseIterable {
  /// It has partitions or is one: emptying a partition would go unnoticed.
  case isPartitioned = "partitioned"
  /// Others inherit from it, or it inherits.
  case isInherited = "inherited"
  /// It is a view, or a table of another server.
  case isNotATable = "no table"
  /// Policies hide rows of it from us.
  case hidesRows = "row security"
  /// A crash of the server empties it without any trigger.
  case isNotLogged = "not logged"
}

/// The functions that put entries into a queue: one for each kind of change, so that none has to ask
/// which it is.
private enum CaptureFunction: CaseIterable {
  case newRow
  case oldRow
  case bothRows
  case emptying

  var prefix: String {
    switch self {
    case .newRow: "capture_"
    case .oldRow: "capture_old_"
    case .bothRows: "capture_both_"
    case .emptying: "capture_all_"
    }
  }
}

/// The triggers that add entries to a queue; their names sort after those of most others.
enum CaptureTrigger: CaseIterable {
  case row
  case deletion
  /// The key that decides which rows depend on it has changed.
  case move
  case update
  case truncate

  var name: SQLIdentifier {
    switch self {
    case .row: "~remodel_row"
    case .deletion: "~remodel_delete"
    case .move: "~remodel_move"
    case .update: "~remodel_update"
    case .truncate: "~remodel_truncate"
    }
  }
}
