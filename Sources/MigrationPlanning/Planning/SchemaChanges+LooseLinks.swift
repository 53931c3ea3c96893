internal import ModelMapping
internal import ObjectModel
internal import SQLSyntax

/// Links that have to lead somewhere, and may not since the rows that they led to have gone.
extension SchemaChanges {
  /// Asks for links of rows that have stayed and of rows that come back.
  func questionsOfLooseLinks() -> [PlannedPrecondition] {
    let returns = (planner.reinstatement?.apart ?? []).compactMap { object in
      itsReturn(of: object).map { (object, $0) }
    }.filter { $0.1.way == .rows }
    let questions = looseLinks.compactMap { link -> PlannedPrecondition? in
      guard !link.isJoinTable,
        let end = requiredEnd(at: link.column, of: link.table)
      else { return nil }
      let family = Set(destination.projection.model.family(of: end.entity).map(\.name))
      // The links of some are elsewhere by now.
      let outdated = source.projection.outdated[link.place] ?? []
      let members = (match.rows[link.table]?.origins ?? []).filter {
        family.contains($0.destination.name) && !outdated.contains($0.source.name)
      }
      guard !members.isEmpty else { return nil }
      let rows = Rows(
        table: sourceSchema.qualified(link.place.table),
        key: source.projection.key(of: link.place.table),
        membership: source.projection.membership(
          of: members.map(\.source.name),
          in: link.place.table
        )
      )
      return question(rows, "\(link.place.column)", link.foreignKey, end, returns.map(\.1))
    }
    let items = returns.map(\.1)
    return questions + returns.flatMap { self.questions(of: $0.0, $0.1, items) }
  }

  private func questions(
    of object: RetainedObject,
    _ item: ReinstateRows.Return,
    _ returns: [ReinstateRows.Return]
  ) -> [PlannedPrecondition] {
    guard case .rows(let name)? = object.origin?.content,
      let entity = destination.projection.model.entity(named: name)
    else { return [] }
    let lineage = destination.projection.model.lineage(of: entity)
    let rows = Rows(
      table: sourceSchema.qualified(item.retainedTable),
      key: item.retainedKey,
      membership: nil
    )
    return item.columns.compactMap { pair in
      guard let foreignKey = item.references[pair.column.name],
        let end = requiredEnd(at: pair.column, of: item.table), lineage.contains(end.entity)
      else { return nil }
      return question(rows, "\(pair.retainedName)", foreignKey, end, returns)
    }
  }

  /// Returns the relationship that has links in a column of the destination, if it has to have some.
  private func requiredEnd(
    at column: Column,
    of table: SQLIdentifier
  ) -> (entity: EntityDescription, relationship: RelationshipDescription)? {
    guard
      case .reference(let name, let relationshipName)? =
        destination.projection.columnOrigins[table]?[column.name],
      let entity = destination.projection.model.entity(named: name),
      let relationship = entity.relationships.first(where: { $0.name == relationshipName }),
      !relationship.isOptional
    else { return nil }
    return (entity, relationship)
  }

  private func question(
    _ rows: Rows,
    _ column: SQLFragment,
    _ foreignKey: ForeignKey,
    _ end: (entity: EntityDescription, relationship: RelationshipDescription),
    _ returns: [ReinstateRows.Return]
  ) -> PlannedPrecondition {
    var targets = returns.filter { $0.table == foreignKey.references }.map { item -> SQLFragment in
      "SELECT \(item.retainedKey) FROM \(sourceSchema.qualified(item.retainedTable))"
    }
    if let referenced = match.oldTables[foreignKey.references] {
      let key = source.projection.key(of: referenced)
      targets.append("SELECT \(key) FROM \(sourceSchema.qualified(referenced))")
    }
    let isLost = targets.map { " AND \(column) NOT IN (\($0))" as SQLFragment }
    return PlannedPrecondition(
      requirement: "relationship \"\(end.relationship.name)\" of entity \"\(end.entity.name)\" is "
        + "required again, so every row has to refer to one that is there",
      remedy: "Delete the rows in table \"\(rows.table.name)\", or have them refer to others.",
      entityName: end.entity.name,
      propertyName: end.relationship.name,
      coreDataError: 134_110,
      failsSilently: false,
      query: rows.offending("\(column) IS NOT NULL\(isLost.joined(separator: ""))")
    )
  }
}
