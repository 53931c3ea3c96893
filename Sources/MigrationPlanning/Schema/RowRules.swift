internal import ObjectModel
internal import SQLSyntax

extension ModelProjection {
  /// The conditions on all rows that no constraint enforces, each with the query for rows that
  /// violate it.
  package var rowRules: [PlannedPrecondition] {
    RowRules(projection: self).all
  }
}

/// The rules of a model for rows beyond those of the catalog.
private struct RowRules {
  let projection: ModelProjection

  private var model: ManagedObjectModel { projection.model }
  /// The name of the keys that the queries return.
  private var key: SQLIdentifier { StorageNames.key }

  var all: [PlannedPrecondition] {
    var rules: [PlannedPrecondition] = []
    for entity in model.entities.sorted(by: { $0.name < $1.name }) {
      rules += kindRule(of: entity)
      for relationship in entity.relationships where !relationship.isTransient {
        rules += linkRules(of: relationship, entity)
      }
    }
    return rules + derivationRules
  }

  // MARK: - Entities

  /// Returns the rule for the entities of a hierarchy's rows.
  private func kindRule(of root: EntityDescription) -> [PlannedPrecondition] {
    guard root.superentityName == nil, let table = projection.table(of: root),
      model.family(of: root).count > 1
    else { return [] }
    let concrete = projection.concreteFamily(of: root)
    return [
      rule(
        "every row of entity \(root.name) is of a concrete entity",
        "Give the rows an entity of the hierarchy that is not abstract, or delete them.",
        root,
        nil,
        error: 134_020,
        Rows(
          table: projection.schema.qualified(table),
          key: projection.key(of: table),
          membership: nil
        )
        .offending("\(StorageNames.discriminator) NOT IN (\(projection.list(concrete)))")
      )
    ]
  }

  // MARK: - Relationships

  private func linkRules(
    of relationship: RelationshipDescription,
    _ entity: EntityDescription
  ) -> [PlannedPrecondition] {
    guard let place = projection.linkPlace(of: relationship, declaredBy: entity),
      let destination = model.entity(named: relationship.destinationEntityName),
      let ownerTable = projection.table(of: entity),
      let targetTable = projection.table(of: destination)
    else { return [] }
    let links = links(of: relationship, entity, place)
    let name = "relationship \(entity.name).\(relationship.name)"
    var rules: [PlannedPrecondition] = []
    let ends: [(EntityDescription, SQLIdentifier, SQLFragment)] = [
      (destination, targetTable, "target"), (entity, ownerTable, "owner"),
    ]
    for (end, table, column) in ends {
      // The inverse asks for the other end.
      if column.text == "owner", relationship.inverseName != nil { continue }
      let members = projection.concreteFamily(of: end)
      guard let membership = projection.membership(of: members, in: table) else { continue }
      let way = column.text == "target" ? "leads to" : "starts from"
      rules.append(
        rule(
          "\(name) \(way) rows of \(end.name) only",
          "Cut these links, or let them lead to rows of the right entity.",
          entity,
          relationship.name,
          error: 1550,
          Rows.counting(
            """
            SELECT link.owner AS \(key) FROM (\(links)) AS link \
            JOIN \(projection.schema.qualified(table)) AS row_at_end \
            ON row_at_end.\(projection.key(of: table)) = link.\(column) WHERE (\(membership)) IS NOT TRUE
            """
          )
        )
      )
    }
    rules += countRules(of: relationship, entity, ownerTable, links)
    if relationship.isOrdered, let position = place.targetPosition {
      rules.append(
        rule(
          "no two rows have the same place in \(name)",
          "Number the rows of these owners again.",
          entity,
          relationship.name,
          error: 1550,
          Rows.counting(
            """
            SELECT DISTINCT \(place.owner) AS \(key) \
            FROM \(projection.schema.qualified(place.table)) WHERE \(place.owner) IS NOT NULL \
            AND \(position) IS NOT NULL GROUP BY \(place.owner), \(position) HAVING count(*) > 1
            """
          )
        )
      )
    }
    return rules
  }

  /// Returns a query for the owners and targets of all links.
  private func links(
    of relationship: RelationshipDescription,
    _ entity: EntityDescription,
    _ place: LinkPlace
  ) -> SQLFragment {
    let end = RelationshipEnd(entity: entity, relationship: relationship)
    let table = projection.schema.qualified(place.table)
    let pairs: SQLFragment = """
      SELECT \(place.owner) AS owner, \(place.target) AS target FROM \(table) \
      WHERE \(place.owner) IS NOT NULL AND \(place.target) IS NOT NULL
      """
    // Who is his own friend's friend has one row for both ways.
    let isItsOwnInverse =
      model.inverseEnd(of: end)?.joinedDestination == end.joinedDestination
      && place.isJoinTable
    guard isItsOwnInverse else { return pairs }
    return "\(pairs) UNION SELECT \(place.target), \(place.owner) FROM \(table)"
  }

  /// A constraint can only enforce a maximum of one.
  private func countRules(
    of relationship: RelationshipDescription,
    _ entity: EntityDescription,
    _ table: SQLIdentifier,
    _ links: SQLFragment
  ) -> [PlannedPrecondition] {
    let minimum = relationship.effectiveMinimumCount
    let maximum = relationship.effectiveMaximumCount
    let isKey: Bool
    switch model.storage(of: relationship, declaredBy: entity) {
    case .ownKey: isKey = true
    case .inverseKey, .joinTable: isKey = false
    }
    let membership =
      projection.membership(of: projection.concreteFamily(of: entity), in: table) ?? "true"
    let ownerKey = projection.key(of: table)
    func counted(_ words: String, _ error: Int, _ condition: SQLFragment) -> PlannedPrecondition {
      rule(
        "relationship \(entity.name).\(relationship.name) has \(words)",
        "Add links, or cut some, or change the counts in a new version of the model.",
        entity,
        relationship.name,
        error: error,
        Rows.counting(
          """
          SELECT \(Rows.named("row_of_owner.\(ownerKey)")) \
          FROM \(projection.schema.qualified(table)) AS row_of_owner \
          LEFT JOIN (\(links)) AS link ON link.owner = row_of_owner.\(ownerKey) WHERE \(membership) \
          GROUP BY row_of_owner.\(ownerKey) HAVING count(link.target) \(condition)
          """
        )
      )
    }
    var rules: [PlannedPrecondition] = []
    if minimum > 0, !isKey {
      let limit: SQLFragment = "< \(SQLLiteral.integer(Int64(minimum)))"
      rules.append(counted("at least \(minimum)", 1580, limit))
    }
    if maximum > 0, relationship.isToMany {
      let limit: SQLFragment = "> \(SQLLiteral.integer(Int64(maximum)))"
      rules.append(counted("at most \(maximum)", 1590, limit))
    }
    return rules
  }

  // MARK: - Derived attributes

  /// When a row was written is nothing that can be computed again.
  private var derivationRules: [PlannedPrecondition] {
    let kept = projection.derivations.filter { !$0.value.isStamp }
    return kept.sorted { ($0.key.table, $0.key.column) < ($1.key.table, $1.key.column) }
      .compactMap { place, derivation in
        guard
          case .attribute(let entityName, let name, _) =
            projection.columnOrigins[place.table]?[place.column],
          let entity = model.entity(named: entityName)
        else { return nil }
        let type = projection.schema.tables[place.table]?.column(place.column)?.type.text
        return rule(
          "derived attribute \(entityName).\(name) has the value that follows from other rows",
          "Update these rows, so that the trigger computes the value again.",
          entity,
          name,
          error: 1550,
          Rows(
            table: projection.schema.qualified(place.table),
            key: projection.key(of: place.table),
            membership: nil
          )
          .offending(difference(place.column, derivation.value, type))
        )
      }
  }

  /// A sum of fractions depends on the order of its terms.
  private func difference(
    _ column: SQLIdentifier,
    _ value: SQLFragment,
    _ type: String?
  ) -> SQLFragment {
    guard type == "double precision" || type == "real" else {
      return "\(column) IS DISTINCT FROM (\(value))"
    }
    return """
      (\(column) IS NULL) <> ((\(value)) IS NULL) \
      OR abs(\(column) - (\(value))) > 1e-5 * greatest(abs(\(column)), 1e-5)
      """
  }

  // MARK: - Parts

  private func rule(
    _ requirement: String,
    _ remedy: String,
    _ entity: EntityDescription,
    _ property: String?,
    error: Int,
    _ query: SQLFragment
  ) -> PlannedPrecondition {
    PlannedPrecondition(
      requirement: requirement,
      remedy: remedy,
      entityName: entity.name,
      propertyName: property,
      coreDataError: error,
      failsSilently: false,
      query: query
    )
  }
}
