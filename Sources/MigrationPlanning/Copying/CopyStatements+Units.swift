internal import SQLSyntax

extension CopyStatements {
  /// What a statement calls the count of what was taken: a row for each source that had entries.
  var takenEntries: QualifiedName {
    QualifiedName(schema: "pg_temp", name: "remodel_taken_entries")
  }

  /// Returns the statement that takes entries out of a queue.
  func taking(_ source: CopySource, limit: Int?) -> SQLFragment {
    let queue = queue(of: source)
    let part: SQLFragment =
      if let limit {
        // Only the copy changes the queue, so that the places stay what they are.
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
          SELECT \(.text(source.table.name)), count(*), bool_or(\(Self.entryKind) = 'T')
          FROM remodel_entry HAVING count(*) > 0)
      INSERT INTO \(source.changes) (\(columns))
        SELECT DISTINCT \(columns) FROM remodel_entry WHERE \(Self.entryKind) = 'R'
      """
  }

  /// Returns the statements that find the units of a table that follow from what was taken.
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
    ["SELECT \(table.unit) FROM \(staged(table))"]
      + table.feeds.map { "SELECT \($0.domainColumn) FROM \($0.domain)" }
  }

  /// Returns the statements that bring a map up to date.
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

/// Returns the statement that makes a table for the length of a transaction.
func temporary(_ table: QualifiedName, _ columns: [SQLFragment]) -> SQLFragment {
  "CREATE TEMP TABLE \(table) (\(columns.joined(separator: ", "))) ON COMMIT DROP"
}
