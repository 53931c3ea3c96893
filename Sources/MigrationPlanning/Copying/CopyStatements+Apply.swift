public import SQLSyntax

extension CopyStatements {
  /// Returns the statements of one transaction that takes entries out of the queues and brings the
  /// units that follow from them up to what the sources hold.
  ///
  /// The transaction has one snapshot for all of its statements (`REPEATABLE READ`), unless nobody
  /// else can write to the sources. It runs when all ranges have been copied, for a range that is
  /// still being copied may bring back what the transaction deletes. Where the tables already have
  /// foreign keys that are deferrable, or other constraints across units, all entries have to be
  /// taken.
  ///
  /// The last statement returns the number of entries that were taken.
  ///
  /// - Parameter limit: How many entries are taken of each queue at most; `nil` takes all.
  /// - Returns: The statements, to be run in one transaction.
  public func apply(limit: Int?) -> [SQLFragment] {
    let tables = derivableTables
    return ["SET CONSTRAINTS ALL DEFERRED"]
      + temporaryTables
      + plan.sources.map { taking($0, limit: limit) }
      + findUnits
      + [
        block(tables.map { ifAny($0.units, derivation(of: $0)) }),
        block(tables.reversed().map { ifAny($0.units, [deletion(in: $0)]) }),
        block(tables.map { ifAny($0.units, [merging(into: $0)]) }),
        takenCount,
      ]
  }

  /// The query for how many entries ``apply(limit:)`` has taken earlier in the same transaction.
  public var takenCount: SQLFragment {
    "SELECT coalesce(sum(entries), 0) AS entries FROM \(takenEntries)"
  }

  /// The tables that can be brought up to date; rows that people's own statements insert cannot.
  var derivableTables: [CopiedTable] { plan.tables.filter(\.isDerivable) }

  /// The statements that make what a transaction keeps its findings in.
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
  /// Maps change on the way. What follows from them as they were is asked before, for a row that
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
        SELECT \(table.columns) FROM \(staged(table)) WITH NO DATA
      """
    ]
      + table.feeds.map {
        "INSERT INTO \(table.derived) (\(table.columns))\n\($0.query(restriction))"
      }
  }

  private func deletion(in table: CopiedTable) -> SQLFragment {
    if table.key == [table.unit], !table.replacesChangedRows {
      // A unit is a row: those that are left are looked for, not all.
      return """
        DELETE FROM \(staged(table)) WHERE \(table.unit) IN (
          SELECT unit FROM \(table.units) EXCEPT SELECT \(table.unit) FROM \(table.derived))
        """
    }
    var sameRow = sameKey(table, "remodel_derived", "remodel_row")
    if table.replacesChangedRows {
      sameRow.append(" AND NOT \(imageDiffers(table.columns, "remodel_derived", "remodel_row"))")
    }
    return """
      DELETE FROM \(staged(table)) AS remodel_row USING \(table.units) AS remodel_unit
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
      MERGE INTO \(staged(table)) AS remodel_row USING \(table.derived) AS remodel_derived
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
}
