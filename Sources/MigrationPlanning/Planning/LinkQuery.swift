internal import SQLSyntax

/// A query for links: the keys of both ends and their places among one another.
struct LinkQuery: Hashable {
  /// Rows at one end that have links which count.
  struct EndCondition: Hashable {
    /// The table of those at the end.
    var table: SQLIdentifier
    /// The key of that table.
    var key: SQLIdentifier
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

  func sql(in schema: SQLIdentifier, with positions: Set<LinkPlace.Position> = []) -> SQLFragment {
    let places = LinkPlace.Position.allCases.filter(positions.contains).map {
      position -> SQLFragment in
      let value: SQLFragment = place.column(of: position).map { "\($0)" } ?? "NULL::integer"
      return ", \(value) AS \(position.name)"
    }
    var conditions: [SQLFragment] = []
    // Whoever has a key of their own has the other one only where there is a link.
    if place.isInOwner { conditions.append("\(place.target) IS NOT NULL") }
    if place.isInTarget { conditions.append("\(place.owner) IS NOT NULL") }
    for (column, end) in [(place.owner, ownerCondition), (place.target, targetCondition)] {
      guard let end else { continue }
      let table = QualifiedName(schema: schema, name: end.table)
      conditions.append(
        "\(column) IN (SELECT \(end.key) FROM \(table) WHERE \(end.condition))"
      )
    }
    let filter: SQLFragment =
      conditions.isEmpty ? "" : " WHERE \(conditions.joined(separator: " AND "))"
    return """
      SELECT \(place.owner) AS owner, \(place.target) AS target\(places.joined(separator: "")) \
      FROM \(QualifiedName(schema: schema, name: place.table))\(filter)
      """
  }

  /// Returns a query for the links of all, each once.
  static func union(
    of queries: [LinkQuery],
    in schema: SQLIdentifier,
    with positions: Set<LinkPlace.Position> = []
  ) -> SQLFragment {
    let all = queries.map { $0.sql(in: schema, with: positions) }
    if all.count == 1 { return all[0] }
    if positions.isEmpty { return all.joined(separator: " UNION ") }
    let places = LinkPlace.Position.allCases.filter(positions.contains)
      .map { ", min(\($0.name)) AS \($0.name)" as SQLFragment }
    return """
      SELECT owner, target\(places.joined(separator: "")) FROM \
      (\(all.joined(separator: " UNION ALL "))) AS links GROUP BY owner, target
      """
  }
}

extension LinkPlace.Position {
  /// What it is called among the columns of a query for links.
  var name: SQLIdentifier {
    switch self {
    case .ofTarget: "target_position"
    case .ofOwner: "owner_position"
    }
  }
}
