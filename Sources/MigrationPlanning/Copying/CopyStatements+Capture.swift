public import SQLSyntax

extension CopyStatements {
  /// The column of a queue that says what an entry is about; no column of a source has this name.
  static let entryKind: SQLIdentifier = "~remodel_kind"

  /// Returns the name of the table that has the keys of a source's changed rows.
  public func queue(of source: CopySource) -> QualifiedName {
    QualifiedName(
      schema: plan.stagingSchema,
      name: StorageNames.fitted("queue_" + source.table.name)
    )
  }

  /// Returns the name of a function that puts entries into the queue of a source.
  private func captureFunction(
    _ function: CaptureFunction,
    of source: CopySource
  ) -> QualifiedName {
    QualifiedName(
      schema: plan.stagingSchema,
      name: StorageNames.fitted(function.prefix + source.table.name)
    )
  }

  /// Returns the statements after whose commit every change of a source is in its queue.
  ///
  /// The triggers wait for all who have written to the source, so that what has no entry can be seen
  /// by whoever looks afterwards.
  public func capture(of source: CopySource) -> [SQLFragment] {
    let table = name(source)
    return queueCreation(of: source)
      + CaptureFunction.allCases.flatMap { function -> [SQLFragment] in
        let name = captureFunction(function, of: source)
        return [
          // What a definer's function looks up could be changed by whoever calls it; and what it
          // writes to may call functions of people, which look up as they like.
          """
          CREATE FUNCTION \(name)() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
            SET search_path = \(.catalogPath) AS \(body(of: function, source).dollarQuoted)
          """,
          "REVOKE ALL ON FUNCTION \(name)() FROM PUBLIC",
        ]
      }
      + triggers(of: source).flatMap { trigger, event, function in
        [
          """
          CREATE TRIGGER \(trigger.name) AFTER \(event)
            EXECUTE FUNCTION \(captureFunction(function, of: source))()
          """,
          // Sessions that play back others' changes fire no ordinary triggers.
          "ALTER TABLE \(table) ENABLE ALWAYS TRIGGER \(trigger.name)",
        ]
      }
  }

  private func triggers(
    of source: CopySource
  ) -> [(trigger: CaptureTrigger, event: SQLFragment, function: CaptureFunction)] {
    let table = name(source)
    let captured = source.captured.map(\.name)
    let others = source.watched.filter { !captured.contains($0) }
    let moves = imageDiffers(captured, "OLD", "NEW")
    let row: SQLFragment = "ON \(table) FOR EACH ROW"
    var triggers: [(CaptureTrigger, SQLFragment, CaptureFunction)] = [
      (.row, "INSERT \(row)", .newRow),
      (.deletion, "DELETE \(row)", .oldRow),
      (.move, "UPDATE \(row) WHEN (\(moves))", .bothRows),
      (.truncate, "TRUNCATE ON \(table) FOR EACH STATEMENT", .emptying),
    ]
    if !others.isEmpty {
      let changes = imageDiffers(others, "OLD", "NEW")
      triggers.append((.update, "UPDATE \(row) WHEN (\(changes) AND NOT \(moves))", .newRow))
    }
    return triggers
  }

  /// Returns the statements that undo ``capture(of:)``, whatever there is of it.
  public func captureRemoval(of source: CopySource) -> [SQLFragment] {
    CaptureTrigger.allCases.map { "DROP TRIGGER IF EXISTS \($0.name) ON \(name(source))" }
      + CaptureFunction.allCases.map {
        "DROP FUNCTION IF EXISTS \(captureFunction($0, of: source))()"
      }
      + ["DROP TABLE IF EXISTS \(queue(of: source))"]
  }

  /// Returns the query for the number of entries in all queues.
  ///
  /// - Parameter limit: How many are counted at most.
  /// - Returns: The query, with one row and one column.
  public func backlog(atMost limit: Int) -> SQLFragment {
    let bound: SQLFragment = "LIMIT \(.integer(Int64(limit)))"
    let queues = plan.sources.map { "(SELECT FROM \(queue(of: $0)) \(bound))" as SQLFragment }
    guard !queues.isEmpty else { return "SELECT 0 AS entries" }
    return """
      SELECT count(*) AS entries FROM (
        SELECT FROM (\(queues.joined(separator: " UNION ALL "))) AS remodel_queues \(bound)
      ) AS remodel_entries
      """
  }

  /// The statements that free the queues of what has been taken out, each outside of transactions.
  public var queueMaintenance: [SQLFragment] {
    // Giving the end of the file back would keep writers waiting, and us for seconds while they write.
    plan.sources.map { "VACUUM (TRUNCATE false) \(queue(of: $0))" }
  }

  private func queueCreation(of source: CopySource) -> [SQLFragment] {
    // Beside a constant without a type, a domain becomes what it is made of: its checks, which may
    // forbid NULL, are not for entries, nor to run with the rights of whoever made the queue.
    let columns = source.captured.map {
      ", COALESCE(NULL::\($0.type), NULL) AS \($0.name)" as SQLFragment
    }.joined(separator: "")
    return [
      // No key: an index would cost every write. Nothing but the copy empties it, so that no
      // automatic vacuum has to.
      """
      CREATE TABLE \(queue(of: source)) WITH (autovacuum_enabled = off)
        AS SELECT NULL::"char" AS \(Self.entryKind)\(columns) WITH NO DATA
      """,
      "ALTER TABLE \(queue(of: source)) ALTER \(Self.entryKind) SET NOT NULL",
      // Where all tables are published, rows can only be deleted of those that can be told apart.
      "ALTER TABLE \(queue(of: source)) REPLICA IDENTITY FULL",
    ]
  }

  private func body(of function: CaptureFunction, _ source: CopySource) -> SQLFragment {
    let columns = source.captured.map(\.name)
    let insertion: SQLFragment =
      "INSERT INTO \(queue(of: source)) (\(Self.entryKind), \(columns)) VALUES "
    let old: SQLFragment = "('R', \(values(columns, "OLD")))"
    let new: SQLFragment = "('R', \(values(columns, "NEW")))"
    let statement: SQLFragment =
      switch function {
      case .newRow: "\(insertion)\(new)"
      case .oldRow: "\(insertion)\(old)"
      case .bothRows: "\(insertion)\(old), \(new)"
      case .emptying: "INSERT INTO \(queue(of: source)) (\(Self.entryKind)) VALUES ('T')"
      }
    return """

      BEGIN
        \(statement);
        RETURN NULL;
      END

      """
  }
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

/// The triggers that put entries into a queue; their names come after those of most others.
enum CaptureTrigger: CaseIterable {
  case row
  case deletion
  /// What tells which rows follow has changed itself.
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

/// Returns columns of a row as a list.
func values(_ columns: [SQLIdentifier], _ row: SQLFragment) -> SQLFragment {
  columns.map { "\(row).\($0)" as SQLFragment }.joined(separator: ", ")
}

/// Returns the condition that two rows are not the same to the last bit.
///
/// Types without equality have this, too, and equal values may differ in what they show: 1.0 and
/// 1.00.
func imageDiffers(
  _ columns: [SQLIdentifier],
  _ first: SQLFragment,
  _ second: SQLFragment
) -> SQLFragment {
  "ROW(\(values(columns, first)))::record *<> ROW(\(values(columns, second)))::record"
}
