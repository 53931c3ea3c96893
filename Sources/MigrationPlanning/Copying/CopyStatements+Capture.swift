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

  /// Returns the name of the function that puts entries into the queue of a source.
  func captureFunction(of source: CopySource) -> QualifiedName {
    QualifiedName(
      schema: plan.stagingSchema,
      name: StorageNames.fitted("capture_" + source.table.name)
    )
  }

  /// Returns the statements after whose commit every change of a source is in its queue.
  ///
  /// The triggers wait for all who have written to the source, so that what has no entry can be seen
  /// by whoever looks afterwards.
  public func capture(of source: CopySource) -> [SQLFragment] {
    let table = name(source)
    let function = captureFunction(of: source)
    let watched = imageDiffers(
      source.captured.map(\.name)
        + source.watched.filter { column in
          !source.captured.contains { $0.name == column }
        },
      "OLD",
      "NEW"
    )
    return queueCreation(of: source) + [
      """
      CREATE FUNCTION \(function)() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
        SET search_path = pg_catalog, pg_temp AS \(captureBody(of: source).dollarQuoted)
      """,
      "REVOKE ALL ON FUNCTION \(function)() FROM PUBLIC",
      """
      CREATE TRIGGER \(CaptureTrigger.row.name) AFTER INSERT OR DELETE ON \(table)
        FOR EACH ROW EXECUTE FUNCTION \(function)()
      """,
      """
      CREATE TRIGGER \(CaptureTrigger.update.name) AFTER UPDATE ON \(table)
        FOR EACH ROW WHEN (\(watched)) EXECUTE FUNCTION \(function)()
      """,
      """
      CREATE TRIGGER \(CaptureTrigger.truncate.name) AFTER TRUNCATE ON \(table)
        FOR EACH STATEMENT EXECUTE FUNCTION \(function)()
      """,
    ]
      // Sessions that play back others' changes fire no ordinary triggers.
      + CaptureTrigger.allCases.map { "ALTER TABLE \(table) ENABLE ALWAYS TRIGGER \($0.name)" }
  }

  /// Returns the statements that undo ``capture(of:)``, whatever there is of it.
  public func captureRemoval(of source: CopySource) -> [SQLFragment] {
    CaptureTrigger.allCases.map { "DROP TRIGGER IF EXISTS \($0.name) ON \(name(source))" } + [
      "DROP FUNCTION IF EXISTS \(captureFunction(of: source))()",
      "DROP TABLE IF EXISTS \(queue(of: source))",
    ]
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
    plan.sources.map { "VACUUM \(queue(of: $0))" }
  }

  private func queueCreation(of source: CopySource) -> [SQLFragment] {
    let columns = source.captured.map { "\($0.name) \($0.type)" as SQLFragment }
    let definition = (["\(Self.entryKind) \"char\" NOT NULL"] + columns).joined(separator: ", ")
    return [
      // No key: an index would cost every write. Nothing but the copy empties it, so that no
      // automatic vacuum has to.
      "CREATE TABLE \(queue(of: source)) (\(definition)) WITH (autovacuum_enabled = off)",
      // Where all tables are published, rows can only be deleted of those that can be told apart.
      "ALTER TABLE \(queue(of: source)) REPLICA IDENTITY FULL",
    ]
  }

  private func captureBody(of source: CopySource) -> SQLFragment {
    let columns = source.captured.map(\.name)
    let insertion: SQLFragment =
      "INSERT INTO \(queue(of: source)) (\(Self.entryKind), \(columns)) VALUES "
    let old: SQLFragment = "('R', \(values(columns, "OLD")))"
    let new: SQLFragment = "('R', \(values(columns, "NEW")))"
    return """

      BEGIN
        IF TG_OP = 'UPDATE' THEN
          IF \(imageDiffers(columns, "OLD", "NEW")) THEN
            \(insertion)\(old), \(new);
          ELSE
            \(insertion)\(new);
          END IF;
        ELSIF TG_OP = 'INSERT' THEN
          \(insertion)\(new);
        ELSIF TG_OP = 'DELETE' THEN
          \(insertion)\(old);
        ELSE
          INSERT INTO \(queue(of: source)) (\(Self.entryKind)) VALUES ('T');
        END IF;
        RETURN NULL;
      END

      """
  }
}

/// The triggers that put entries into a queue; their names come after those of most others.
enum CaptureTrigger: CaseIterable {
  case row
  case update
  case truncate

  var name: SQLIdentifier {
    switch self {
    case .row: "~remodel_row"
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
