internal import ModelMapping
internal import ObjectModel
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

extension LinkQuery {
  /// Creates the query for the links of an origin between rows that may be at the ends of the
  /// relationship.
  ///
  /// - Parameters:
  ///   - origin: The origin of the links.
  ///   - relationship: The relationship of the destination.
  ///   - entity: The entity that declares it.
  ///   - match: The match of both versions.
  ///   - areLoose: Whether links may dangle.
  ///   - names: The names of the source's tables and columns when the query runs, if they have
  ///     changed.
  init?(
    for origin: LinkOrigin,
    of relationship: RelationshipDescription,
    declaredBy entity: EntityDescription,
    _ match: SchemaMatch,
    checkingEnds areLoose: Bool = false,
    under names: CurrentNames? = nil
  ) {
    guard let old = match.sourcePlace(of: origin),
      let target = match.destination.model.entity(named: relationship.destinationEntityName)
    else { return nil }
    func current(_ column: ColumnReference) -> SQLIdentifier {
      names?.current(column) ?? column.column
    }
    func name(_ identifier: SQLIdentifier) -> SQLIdentifier {
      current(ColumnReference(table: old.table, column: identifier))
    }
    place = LinkPlace(
      table: names?.current(old.table) ?? old.table,
      owner: name(old.owner),
      target: name(old.target),
      targetPosition: old.targetPosition.map(name),
      ownerPosition: old.ownerPosition.map(name),
      key: old.key.map(name)
    )
    let ends = match.pairing.ends(of: origin)
    let owners = Set(match.pairing.rowOrigins(of: entity).map(\.source.name))
    let targets = Set(match.pairing.rowOrigins(of: target).map(\.source.name))
    func condition(_ entities: [String], _ allowed: Set<String>) -> EndCondition? {
      let source = match.source
      guard let first = entities.first.flatMap({ source.model.entity(named: $0) }),
        let oldTable = source.table(of: first),
        let condition =
          source.membership(of: entities.filter(allowed.contains), in: oldTable)
          ?? (areLoose ? "true" : nil)
      else { return nil }
      let key = ColumnReference(table: oldTable, column: source.key(of: oldTable))
      return EndCondition(
        table: names?.current(oldTable) ?? oldTable,
        key: current(key),
        condition: condition
      )
    }
    let possibleOwners = ends.owners
    let possibleTargets = ends.targets
    ownerCondition =
      areLoose || Self.isRestricted(possibleOwners, owners, origin, match, isOwner: true)
      ? condition(possibleOwners, owners) : nil
    targetCondition =
      areLoose || Self.isRestricted(possibleTargets, targets, origin, match, isOwner: false)
      ? condition(possibleTargets, targets) : nil
  }

  /// Returns whether some of the links have rows at an end that may not be there.
  private static func isRestricted(
    _ possible: [String],
    _ allowed: Set<String>,
    _ origin: LinkOrigin,
    _ match: SchemaMatch,
    isOwner: Bool
  ) -> Bool {
    if !Set(possible).isSubset(of: allowed) { return true }
    // Rows of entities that lost the relationship are not among the members.
    guard isOwner != origin.isReversed, let old = match.sourcePlace(of: origin),
      let (declaring, _) = match.pairing.sourceEnd(of: origin)
    else { return false }
    // Nor are those whose links are elsewhere by now.
    let keys = ColumnReference(table: old.table, column: isOwner ? old.owner : old.target)
    return !Set(match.source.concreteFamily(of: declaring)).isSubset(of: possible)
      || match.source.outdated[keys] != nil
  }
}

extension LinkPlace.Position {
  /// Its name among the columns of a query for links.
  var name: SQLIdentifier {
    switch self {
    case .ofTarget: "target_position"
    case .ofOwner: "owner_position"
    }
  }
}
