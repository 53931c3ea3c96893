internal import SQLSyntax

/// A query for links: the keys of both ends and their places among one another.
struct LinkQuery: Hashable {
  /// Rows at one end that have links which count.
  struct EndCondition: Hashable {
    /// The table of those at the end.
    var table: SQLIdentifier
    /// Which of its rows count.
    var condition: SQLFragment
  }

  var place: LinkPlace
  var ownerCondition: EndCondition?
  var targetCondition: EndCondition?

  /// The tables that tell of which entity the rows at the ends are.
  var entityTables: [SQLIdentifier] {
    [ownerCondition, targetCondition].compactMap { $0?.table }
  }

  func sql(in schema: SQLIdentifier) -> SQLFragment {
    let null: SQLFragment = "NULL::integer"
    let targetPosition = place.targetPosition.map { "\($0)" as SQLFragment } ?? null
    let ownerPosition = place.ownerPosition.map { "\($0)" as SQLFragment } ?? null
    var conditions: [SQLFragment] = [
      "\(place.owner) IS NOT NULL", "\(place.target) IS NOT NULL",
    ]
    for (column, end) in [(place.owner, ownerCondition), (place.target, targetCondition)] {
      guard let end else { continue }
      let table = QualifiedName(schema: schema, name: end.table)
      conditions.append(
        "\(column) IN (SELECT \(StorageNames.key) FROM \(table) WHERE \(end.condition))"
      )
    }
    return """
      SELECT \(place.owner) AS owner, \(place.target) AS target, \(targetPosition) AS \
      target_position, \(ownerPosition) AS owner_position FROM \
      \(QualifiedName(schema: schema, name: place.table)) WHERE \
      \(conditions.joined(separator: " AND "))
      """
  }

  /// Returns a query for the links of all, each once.
  static func union(of queries: [LinkQuery], in schema: SQLIdentifier) -> SQLFragment {
    if queries.count == 1 { return queries[0].sql(in: schema) }
    let all = queries.map { $0.sql(in: schema) }.joined(separator: " UNION ALL ")
    return """
      SELECT owner, target, min(target_position) AS target_position, min(owner_position) AS \
      owner_position FROM (\(all)) AS links GROUP BY owner, target
      """
  }
}
