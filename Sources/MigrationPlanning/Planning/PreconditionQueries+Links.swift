internal import ModelMapping
internal import ObjectModel
internal import SQLSyntax

extension PreconditionQueries {
  /// Returns the query for a precondition about links.
  func planned(
    aboutLinks precondition: DataPrecondition,
    _ rows: Rows,
    _ about: String
  ) -> PlannedPrecondition? {
    let schema = source.projection.schema.name
    let key = rows.key
    switch precondition.requirement {
    case .oneTarget(let relationship):
      guard let query = severalLinks(of: relationship, from: "owner", to: "target") else {
        return nil
      }
      return question(
        precondition,
        relationship.relationshipName,
        query,
        "relationship \"\(relationship.relationshipName)\" of entity "
          + "\"\(relationship.entityName)\" becomes to-one, so no row may have several links",
        "Remove all links but one before, or supply a mapping model that says which one stays."
      )
    case .oneOwner(let relationship):
      guard let query = severalLinks(of: relationship, from: "target", to: "owner") else {
        return nil
      }
      return question(
        precondition,
        relationship.relationshipName,
        query,
        "the inverse of relationship \"\(relationship.relationshipName)\" of entity "
          + "\"\(relationship.entityName)\" becomes to-one, so no two rows may lead to the same",
        "Remove all links but one before, or supply a mapping model that says which one stays."
      )
    case .someTarget(let relationship):
      let links = links(of: relationship)
      return question(
        precondition,
        relationship.relationshipName,
        rows.offending(
          links.isEmpty
            ? "true"
            : """
            NOT EXISTS (SELECT FROM (\(LinkQuery.union(of: links, in: schema))) AS link \
            WHERE link.owner = \(rows.table).\(key))
            """
        ),
        "relationship \"\(relationship.relationshipName)\" of \(about) becomes required, so every "
          + "row has to have a link",
        "Add the links before, or make the relationship optional."
      )
    case .noLinks(let origin, let owners, let targets):
      guard let query = forbidden(origin, owners, targets) else { return nil }
      let names = (owners + targets).map { "\"\($0)\"" }.joined(separator: ", ")
      return question(
        precondition,
        origin.relationshipName,
        query,
        "relationship \"\(origin.relationshipName)\" of \(about) may have no links with rows of "
          + "\(names), which the destination cannot have",
        "Remove these links before, or supply a mapping model."
      )
    case .noRows, .noRowsOfAbstract, .noNulls, .noDuplicates, .valuesFit, .valuesValid:
      return nil
    }
  }

  /// Returns a query for those at one end that have links with several at the other.
  private func severalLinks(
    of relationship: DataPrecondition.MovedRelationship,
    from end: SQLFragment,
    to other: SQLFragment
  ) -> SQLFragment? {
    let links = links(of: relationship)
    // Where one end has no table there are no links.
    guard !links.isEmpty else { return nil }
    return Rows.counting(
      """
      SELECT \(end) AS \(StorageNames.key) \
      FROM (\(LinkQuery.union(of: links, in: source.projection.schema.name))) AS link \
      GROUP BY \(end) HAVING count(DISTINCT \(other)) > 1
      """
    )
  }

  private func links(of relationship: DataPrecondition.MovedRelationship) -> [LinkQuery] {
    guard let entity = match.destination.model.entity(named: relationship.entityName),
      let description = entity.relationships.first(where: {
        $0.name == relationship.relationshipName
      })
    else { return [] }
    return relationship.origins.compactMap {
      LinkQuery(
        for: $0,
        of: description,
        declaredBy: entity,
        match,
        table: { $0 },
        column: { $0.column }
      )
    }
  }

  /// Returns a query for links which one of the ends must not have, between rows that both stay.
  private func forbidden(
    _ origin: LinkOrigin,
    _ owners: [String],
    _ targets: [String]
  ) -> SQLFragment? {
    guard let place = match.sourcePlace(of: origin) else { return nil }
    let ends = match.pairing.ends(of: origin)
    let byTarget = conditions(place, (ends.owners.filter(stays), targets))
    let byOwner = conditions(place, (owners, ends.targets.filter(stays)))
    let alternatives = [(byTarget, targets), (byOwner, owners)].filter { !$0.1.isEmpty }
      .map { "(\($0.0.joined(separator: " AND ")))" as SQLFragment }
    guard !alternatives.isEmpty else { return nil }
    let present = [place.owner, place.target].filter { $0 != place.key }
      .map { "\($0) IS NOT NULL" as SQLFragment }
    return Rows.counting(
      """
      SELECT \(place.owner) AS \(StorageNames.key) FROM \
      \(source.projection.schema.qualified(place.table)) \
      WHERE \(present.joined(separator: " AND ")) AND (\(alternatives.joined(separator: " OR ")))
      """
    )
  }

  private func stays(_ name: String) -> Bool {
    match.pairing.destinationEntity(of: name) != nil
  }

  /// Returns the conditions that links have rows of certain entities at their ends.
  private func conditions(
    _ place: LinkPlace,
    _ names: (owners: [String], targets: [String])
  ) -> [SQLFragment] {
    let projection = source.projection
    var conditions: [SQLFragment] = []
    for (column, names) in [(place.owner, names.owners), (place.target, names.targets)] {
      guard let entity = names.first.flatMap({ projection.model.entity(named: $0) }),
        let table = projection.table(of: entity)
      else {
        conditions.append("false")
        continue
      }
      guard let membership = projection.membership(of: names, in: table) else { continue }
      conditions.append(
        """
        \(column) IN (SELECT \(projection.key(of: table)) FROM \(projection.schema.qualified(table)) \
        WHERE \(membership))
        """
      )
    }
    return conditions.isEmpty ? ["true"] : conditions
  }
}
