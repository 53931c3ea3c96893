package import SQLSyntax

/// The statements that carry out a ``CopyPlan``.
///
/// Every row of a copied table belongs to a *unit*, and all rows of a unit are derived together
/// from the sources. Changes of the sources during the copy go into queues as keys, never as
/// values; later the units that depend on the keys are derived again. So neither the order of
/// entries matters, nor whether one is taken twice:
///
/// > For every snapshot and every unit that has been copied and does not follow from an entry in a
/// > queue: the rows of the unit are those that are derived from the sources.
package struct CopyStatements: Hashable, Sendable {
  /// The plan to carry out.
  package let plan: CopyPlan

  /// Creates the statements of a plan.
  package init(_ plan: CopyPlan) {
    self.plan = plan
  }

  /// Returns the query for the end of a range of keys, as text; NULL or no row is the open end.
  ///
  /// - Parameters:
  ///   - domain: The relation that has the keys.
  ///   - column: The column of the keys, with an index.
  ///   - type: The type of the keys.
  ///   - start: The end of the range before, or `nil` if this is the first range.
  ///   - size: The number of keys in the range.
  /// - Returns: The query.
  package func boundaries(
    of domain: QualifiedName,
    column: SQLIdentifier,
    type: SQLTypeName,
    after start: String?,
    size: Int
  ) -> SQLFragment {
    // Keys need not be unique: beyond the start, or the same key could be the end for ever.
    let (condition, offset): (SQLFragment, Int) =
      if let start {
        ("> \(.typed(start, type))", max(size - 1, 0))
      } else {
        ("IS NOT NULL", max(size, 1))
      }
    return """
      SELECT \(column)::text AS boundary FROM \(domain) WHERE \(column) \(condition)
        ORDER BY \(column) OFFSET \(.integer(Int64(offset))) LIMIT 1
      """
  }

  /// Returns the statements that give keys to the rows of a range of a map's source.
  ///
  /// - Parameters:
  ///   - map: The map.
  ///   - start: The first key, or `nil` if the range is open.
  ///   - end: The key after the last, or `nil` if the range is open.
  /// - Returns: The statements.
  package func fill(
    _ map: IdentityMap,
    from start: String?,
    to end: String?
  ) -> [SQLFragment] {
    let range = KeyRange(start: start, end: end, type: map.keyType)
    return map.fill.map { $0.sql(range.condition) }
  }

  /// Returns the statement that copies the rows of a range of units.
  ///
  /// It is a plain `INSERT`: an existing row is a fault. But if a row has become one of another
  /// entity since, that entity's range may have inserted it already; while changes are captured it
  /// is among them, and is derived again.
  ///
  /// - Parameters:
  ///   - feed: The feed of the rows.
  ///   - table: The copied table.
  ///   - start: The first unit, or `nil` if the range is open.
  ///   - end: The unit after the last, or `nil` if the range is open.
  ///   - notesChanges: Whether the keys of changes are captured meanwhile.
  /// - Returns: The statement.
  package func copy(
    _ feed: CopyFeed,
    of table: CopiedTable,
    from start: String?,
    to end: String?,
    notesChanges: Bool = false
  ) -> SQLFragment {
    let range = KeyRange(start: start, end: end, type: table.unitType)
    if let insertion = feed.insertion { return insertion.sql(range.condition) }
    let target: SQLFragment = table.isPartitioned ? "" : " (\(table.unit))"
    let passing: SQLFragment =
      notesChanges && table.hasSharedUnits ? "\nON CONFLICT\(target) DO NOTHING" : ""
    return """
      INSERT INTO \(table.staged) (\(table.columns))\(table.overriding)
      \(feed.query(range.condition))\(passing)
      """
  }

  /// The name of a table of the source.
  func name(_ source: CopySource) -> QualifiedName {
    QualifiedName(schema: plan.schema, name: source.table)
  }

  /// The query for a copied table that has its primary key; without a row, none has.
  ///
  /// All that get it after their rows, get it in one transaction.
  package var keyedTable: SQLFragment {
    let names = plan.tables.map { "\(.text($0.name.name))" as SQLFragment }.joined(separator: ", ")
    return """
      SELECT c.relname FROM pg_constraint AS k JOIN pg_class AS c ON c.oid = k.conrelid
        JOIN pg_namespace AS n ON n.oid = c.relnamespace
      WHERE k.contype = 'p' AND n.nspname = \(.text(plan.stagingSchema.name))
        AND c.relname IN (\(names)) LIMIT 1
      """
  }

  // MARK: - Queues

  private func queue(of source: CopySource) -> QualifiedName {
    SourceGuard(of: source, in: plan).queue
  }

  /// Returns the query for the number of entries in all queues.
  ///
  /// - Parameter limit: The maximum count.
  /// - Returns: The query, with one row and one column.
  package func backlog(atMost limit: Int) -> SQLFragment {
    let bound: SQLFragment = "LIMIT \(.integer(Int64(limit)))"
    let queues = plan.sources.map { "(SELECT FROM \(queue(of: $0)) \(bound))" as SQLFragment }
    guard !queues.isEmpty else { return "SELECT 0 AS entries" }
    return """
      SELECT count(*) AS entries FROM (
        SELECT FROM (\(queues.joined(separator: " UNION ALL "))) AS remodel_queues \(bound)
      ) AS remodel_entries
      """
  }

  /// The statements that vacuum the queues, each outside of a transaction.
  package var queueMaintenance: [SQLFragment] {
    // Giving the end of the file back would keep writers waiting, and us for seconds while they write.
    plan.sources.map { "VACUUM (TRUNCATE false) \(queue(of: $0))" }
  }

  // MARK: - Changes

  /// Returns the statements of one transaction that takes entries from the queues and updates the
  /// units that depend on them from the sources.
  ///
  /// The transaction has one snapshot for all of its statements (`REPEATABLE READ`), unless nobody
  /// else can write to the sources. Run it after all ranges have been copied, because a range that
  /// is still being copied can restore rows that the transaction deletes. If the tables already
  /// have deferrable foreign keys, or other constraints across units, take all entries.
  ///
  /// The last statement returns the number of entries that were taken.
  ///
  /// - Parameter limit: The maximum number of entries to take from each queue; `nil` takes all.
  /// - Returns: The statements, to be run in one transaction.
  package func apply(limit: Int?) -> [SQLFragment] {
    let tables = derivableTables
    return ["SET CONSTRAINTS ALL DEFERRED"]
      + temporaryTables
      + plan.sources.map { taking($0, limit: limit) }
      + findUnits
      + lookingUpRows([
        block(tables.map { ifAny($0.units, derivation(of: $0)) }),
        block(tables.reversed().map { ifAny($0.units, [deletion(in: $0)]) }),
        block(tables.map { ifAny($0.units, [merging(into: $0)]) }),
      ])
      + [takenCount]
  }

  /// Returns statements that look up rows by key in each partition: the server would rather read a large
  /// partitioned table from end to end, while others wait.
  private func lookingUpRows(_ statements: [SQLFragment]) -> [SQLFragment] {
    guard
      plan.sources.contains(where: \.isPartitioned) || plan.tables.contains(where: \.isPartitioned)
    else { return statements }
    return ["SET LOCAL enable_seqscan = off"] + statements + ["SET LOCAL enable_seqscan = on"]
  }

  /// The query for how many entries ``apply(limit:)`` has taken earlier in the same transaction.
  package var takenCount: SQLFragment {
    "SELECT coalesce(sum(entries), 0) AS entries FROM \(takenEntries)"
  }

  /// The tables that can be brought up to date; rows that people's own statements insert cannot.
  var derivableTables: [CopiedTable] { plan.tables.filter(\.isDerivable) }

  /// The statements that create the temporary tables of a transaction.
  var temporaryTables: [SQLFragment] {
    [
      temporary(takenEntries, ["source text", "entries bigint", "is_truncated boolean"])
    ]
      + plan.sources.map { source in
        temporary(source.changes, source.captured.map { "\($0.name) \($0.type)" })
      }
      + plan.maps.map { temporary($0.changedKeys, ["key \($0.keyType) PRIMARY KEY"]) }
      + derivableTables.map { temporary($0.units, ["unit \($0.unitType) PRIMARY KEY"]) }
  }

  /// The statements that find out which units follow from the entries that were taken.
  ///
  /// Maps change on the way. What follows from them as they were is found before, for a row that
  /// leaves a unit changes it as well.
  var findUnits: [SQLFragment] {
    // Few rows are joined by index, many are not; without statistics the server guesses.
    let statistics = block(plan.sources.map { ifAny($0.changes, ["ANALYZE \($0.changes)"]) })
    let units = block(derivableTables.flatMap(unitQueries))
    guard !plan.maps.isEmpty else { return [statistics, units] }
    return [statistics, units, block(plan.maps.flatMap(mapChanges)), units]
  }

  /// Returns the statements that derive the rows of a table's units.
  func derivation(of table: CopiedTable) -> [SQLFragment] {
    ["ANALYZE \(table.units)"]
      + derivation(of: table) { "\($0) IN (SELECT unit FROM \(table.units))" }
      + ["ANALYZE \(table.derived)"]
  }

  /// Returns the statements that derive the rows of some units of a table.
  func derivation(
    of table: CopiedTable,
    _ restriction: @escaping (SQLFragment) -> SQLFragment
  ) -> [SQLFragment] {
    [
      // The rows get the types of the columns, as they do in the table.
      """
      CREATE TEMP TABLE \(table.derived) ON COMMIT DROP AS
        SELECT \(table.columns) FROM \(table.staged) WITH NO DATA
      """
    ]
      + table.feeds.map {
        "INSERT INTO \(table.derived) (\(table.columns))\n\($0.query(restriction))"
      }
  }

  private func deletion(in table: CopiedTable) -> SQLFragment {
    if table.key == [table.unit], !table.replacesChangedRows {
      // A unit is a row, so only the remaining ones are looked up.
      return """
        DELETE FROM \(table.staged) WHERE \(table.unit) IN (
          SELECT unit FROM \(table.units) EXCEPT SELECT \(table.unit) FROM \(table.derived))
        """
    }
    var sameRow = sameKey(table, "remodel_derived", "remodel_row")
    if table.replacesChangedRows {
      sameRow.append(" AND NOT \(imageDiffers(table.columns, "remodel_derived", "remodel_row"))")
    }
    return """
      DELETE FROM \(table.staged) AS remodel_row USING \(table.units) AS remodel_unit
        WHERE remodel_row.\(table.unit) = remodel_unit.unit AND NOT EXISTS (
          SELECT FROM \(table.derived) AS remodel_derived WHERE \(sameRow))
      """
  }

  /// Nobody else writes to the table, so that a row that is found needs no lock of its own, as
  /// `ON CONFLICT` would take it.
  private func merging(into table: CopiedTable) -> SQLFragment {
    let changes = table.columns.filter { !table.key.contains($0) }
      .map { "\($0) = remodel_derived.\($0)" as SQLFragment }
    let update: SQLFragment =
      changes.isEmpty
      ? ""
      : """

        WHEN MATCHED AND \(imageDiffers(table.columns, "remodel_row", "remodel_derived"))
          THEN UPDATE SET \(changes.joined(separator: ", "))
      """
    return """
      MERGE INTO \(table.staged) AS remodel_row USING \(table.derived) AS remodel_derived
        ON \(sameKey(table, "remodel_derived", "remodel_row"))\(update)
        WHEN NOT MATCHED THEN INSERT (\(table.columns))\(table.overriding)
          VALUES (\(values(table.columns, "remodel_derived")))
      """
  }

  func sameKey(
    _ table: CopiedTable,
    _ first: SQLFragment,
    _ second: SQLFragment
  ) -> SQLFragment {
    table.key.map { "\(first).\($0) = \(second).\($0)" as SQLFragment }.joined(separator: " AND ")
  }

  // MARK: - Units

  /// The name of the count of taken entries in a statement: a row for each source that had entries.
  var takenEntries: QualifiedName {
    QualifiedName(schema: "pg_temp", name: "remodel_taken_entries")
  }

  /// Returns the statement that takes entries out of a queue.
  func taking(_ source: CopySource, limit: Int?) -> SQLFragment {
    let queue = queue(of: source)
    let part: SQLFragment =
      if let limit {
        // Only the copy changes the queue, so row locations are stable.
        " WHERE ctid = ANY (ARRAY(SELECT ctid FROM \(queue) LIMIT \(.integer(Int64(limit)))))"
      } else {
        ""
      }
    return distribution(of: "DELETE FROM \(queue)\(part) RETURNING *", source)
  }

  /// Returns the statement that looks at all entries of a queue and leaves them there.
  func looking(_ source: CopySource) -> SQLFragment {
    distribution(of: "SELECT * FROM \(queue(of: source))", source)
  }

  private func distribution(of entries: SQLFragment, _ source: CopySource) -> SQLFragment {
    let columns = source.captured.map(\.name)
    return """
      WITH remodel_entry AS (\(entries)), remodel_count AS (
        INSERT INTO \(takenEntries) (source, entries, is_truncated)
          SELECT \(.text(source.table.name)), count(*), bool_or(\(SourceGuard.entryKind) = 'T')
          FROM remodel_entry HAVING count(*) > 0)
      INSERT INTO \(source.changes) (\(columns))
        SELECT DISTINCT \(columns) FROM remodel_entry WHERE \(SourceGuard.entryKind) = 'R'
      """
  }

  /// Returns the statements that find the units of a table that depend on the taken entries.
  func unitQueries(of table: CopiedTable) -> [SQLFragment] {
    table.dependencies.compactMap { dependency in
      source(dependency.source).map {
        ifAny($0.changes, [collecting(dependency.units, "unit", into: table.units)])
      }
    } + [
      ifTruncated(
        table.dependencies.map(\.source),
        allUnits(of: table).map { collecting($0, "unit", into: table.units) }
      )
    ]
  }

  /// The queries for all units that a table has or may get.
  private func allUnits(of table: CopiedTable) -> [SQLFragment] {
    ["SELECT \(table.unit) FROM \(table.staged)"]
      + table.feeds.map { "SELECT \($0.domainColumn) FROM \($0.domain)" }
  }

  /// Returns the statements that update a map.
  func mapChanges(_ map: IdentityMap) -> [SQLFragment] {
    let own = source(map.source).map { source in
      ifAny(
        source.changes,
        [
          collecting(
            "SELECT \(map.domainColumn) FROM \(source.changes)",
            "key",
            into: map.changedKeys
          )
        ]
      )
    }
    let others = map.dependencies.compactMap { dependency in
      source(dependency.source).map {
        ifAny($0.changes, [collecting(dependency.units, "key", into: map.changedKeys)])
      }
    }
    let statements = map.withdrawal + map.fill
    let changed = statements.map {
      $0.sql { "\($0) IN (SELECT key FROM \(map.changedKeys))" }
    }
    return [own].compactMap(\.self) + others + [
      ifAny(map.changedKeys, ["ANALYZE \(map.changedKeys)"] + changed),
      ifTruncated(
        [map.source] + map.dependencies.map(\.source),
        statements.map { $0.sql { "\($0) IS NOT NULL" } }
      ),
    ]
  }

  private func source(_ table: SQLIdentifier) -> CopySource? {
    plan.sources.first { $0.table == table }
  }

  private func collecting(
    _ query: SQLFragment,
    _ column: SQLIdentifier,
    into table: QualifiedName
  ) -> SQLFragment {
    """
    INSERT INTO \(table) (\(column))
      SELECT DISTINCT \(column) FROM (\(query)) AS remodel_found (\(column))
      WHERE \(column) IS NOT NULL ON CONFLICT DO NOTHING
    """
  }

  private func ifTruncated(
    _ sources: [SQLIdentifier],
    _ statements: [SQLFragment]
  ) -> SQLFragment {
    guard !sources.isEmpty else { return "" }
    let names = sources.map { "\(.text($0.name))" as SQLFragment }.joined(separator: ", ")
    let condition: SQLFragment =
      "(SELECT FROM \(takenEntries) WHERE is_truncated AND source IN (\(names)))"
    return conditional(condition, statements)
  }
}

/// A part of the keys of a relation, from the first one up to the one after the last.
struct KeyRange {
  var start: String?
  var end: String?
  var type: SQLTypeName

  /// Returns the condition that a key is in the range; NULL is in none.
  func condition(_ key: SQLFragment) -> SQLFragment {
    switch (start, end) {
    case (let start?, let end?):
      "(\(key) >= \(.typed(start, type)) AND \(key) < \(.typed(end, type)))"
    case (let start?, nil): "\(key) >= \(.typed(start, type))"
    case (nil, let end?): "\(key) < \(.typed(end, type))"
    case (nil, nil): "\(key) IS NOT NULL"
    }
  }
}

/// Returns statements of a block that run only if a table has rows.
///
/// A statement over no rows may still read all that it is joined with.
func ifAny(_ table: QualifiedName, _ statements: [SQLFragment]) -> SQLFragment {
  conditional("(SELECT FROM \(table))", statements)
}

private func conditional(_ query: SQLFragment, _ statements: [SQLFragment]) -> SQLFragment {
  let body = statements.map { "\($0);\n" as SQLFragment }.joined(separator: "")
  return "IF EXISTS \(query) THEN\n\(body)END IF;\n"
}

/// Returns a statement that runs statements of a block one after the other.
func block(_ statements: [SQLFragment]) -> SQLFragment {
  let body: SQLFragment = "\nBEGIN\n\(statements.joined(separator: ""))END\n"
  return "DO \(body.dollarQuoted)"
}

/// Returns the statement that creates a table for the duration of a transaction.
func temporary(_ table: QualifiedName, _ columns: [SQLFragment]) -> SQLFragment {
  "CREATE TEMP TABLE \(table) (\(columns.joined(separator: ", "))) ON COMMIT DROP"
}

/// Returns columns of a row as a list.
func values(_ columns: [SQLIdentifier], _ row: SQLFragment) -> SQLFragment {
  columns.map { "\(row).\($0)" as SQLFragment }.joined(separator: ", ")
}

/// Returns the condition that two rows are not identical byte by byte.
///
/// Types without equality have an image too, and equal values may have different ones: 1.0 and
/// 1.00.
func imageDiffers(
  _ columns: [SQLIdentifier],
  _ first: SQLFragment,
  _ second: SQLFragment
) -> SQLFragment {
  "ROW(\(values(columns, first)))::record *<> ROW(\(values(columns, second)))::record"
}
