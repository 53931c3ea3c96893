public import SQLSyntax

/// Rows of a table that are checked.
struct Rows {
  let table: QualifiedName
  /// The key of the table.
  let key: SQLIdentifier
  let membership: SQLFragment?

  /// Returns a query for the count and a few keys of the rows that meet a condition.
  func offending(_ condition: SQLFragment) -> SQLFragment {
    let all = membership.map { "\($0) AND (\(condition))" as SQLFragment } ?? condition
    return Self.counting("SELECT \(Self.named("\(key)")) FROM \(table) WHERE \(all)")
  }

  /// Returns a query for the count and a few keys of the rows that agree with another one.
  func duplicates(of keys: [SQLFragment], where isPresent: [SQLFragment]) -> SQLFragment {
    let conditions = (membership.map { [$0] } ?? []) + isPresent
    let condition = conditions.isEmpty ? "true" : conditions.joined(separator: " AND ")
    let partition: SQLFragment =
      keys.isEmpty ? "" : "PARTITION BY \(keys.joined(separator: ", "))"
    return Self.counting(
      """
      SELECT \(StorageNames.key) FROM (SELECT \(Self.named("\(key)")), \
      count(*) OVER (\(partition)) AS n \
      FROM \(table) WHERE \(condition)) AS counted WHERE n > 1
      """
    )
  }

  /// Returns a column under the name that keys have in such queries.
  static func named(_ key: SQLFragment) -> SQLFragment {
    key.identifiers.last == StorageNames.key ? key : "\(key) AS \(StorageNames.key)"
  }

  static func counting(_ offenders: SQLFragment) -> SQLFragment {
    """
    WITH offending AS MATERIALIZED (\(offenders)) SELECT count(*) AS count, (SELECT \
    string_agg(key, ', ') FROM (SELECT \(StorageNames.key)::text AS key FROM offending \
    ORDER BY \(StorageNames.key) LIMIT 5) AS sample) AS keys FROM offending
    """
  }

  /// Returns a query for the keys of a few of some rows, each as text.
  static func examples(of offenders: SQLFragment) -> SQLFragment {
    """
    SELECT \(StorageNames.key)::text AS key FROM (\(offenders)) AS offending \
    ORDER BY \(StorageNames.key) LIMIT 5
    """
  }

  /// Returns the query for the rows that a query of ``counting(_:)`` counts; `nil` if it is another one.
  static func offenders(in query: SQLFragment) -> SQLFragment? {
    query.part(in: counting(SQLFragment()))
  }
}

extension PlannedPrecondition {
  /// The number of keys in ``query`` and ``examplesQuery``, at most.
  package static let exampleCount = 5

  /// A query for the keys of a few rows that offend; `nil` if they cannot be named.
  package var examplesQuery: SQLFragment? { Rows.offenders(in: query).map(Rows.examples) }

  /// A query for the keys of all rows that offend, in their order; `nil` if there is nothing but a number.
  public var keysQuery: SQLFragment? {
    Rows.offenders(in: query).map { "\($0) ORDER BY \(StorageNames.key)" }
  }
}

extension ModelProjection {
  /// Returns the rows of a table, all or those of some entities.
  func rows(of names: [String]? = nil, in table: SQLIdentifier) -> Rows {
    Rows(
      table: schema.qualified(table),
      key: key(of: table),
      membership: names.flatMap { membership(of: $0, in: table) }
    )
  }
}
