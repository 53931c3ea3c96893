internal import ModelMapping
internal import ObjectModel
internal import SQLSyntax

/// The way over relationships of the source to the rows whose destinations a relationship leads to.
struct LinkWay {
  /// What stands before the columns of the row that the way starts from.
  var start: SQLFragment
  /// The way; without hops it is the row itself.
  var path: RelationshipPath
  /// Where the links are, if the way is one relationship.
  var place: LinkPlace?
  /// A Boolean value that indicates whether it may lead to several rows.
  var leadsToMany = false
  /// What is at the end of the way.
  var entity: EntityDescription

  /// The key of the row that the way starts from.
  let startKey: SQLIdentifier

  init(start: SQLFragment, entity: EntityDescription, key: SQLIdentifier) {
    self.start = start
    self.entity = entity
    startKey = key
    path = RelationshipPath(hops: [], value: key)
  }

  /// The key at the end of a way that leads to one row at most.
  func key(in schema: SQLIdentifier) -> SQLFragment {
    guard let first = path.hops.first else { return "\(start)\(startKey)" }
    if path.hops.count == 1, case .forward(let column, _, _) = first { return "\(start)\(column)" }
    return path.subquery(from: start, in: schema)
  }

  /// A query for the keys at the end of the way, as `target`, with the places of the links as
  /// `target_position` and `owner_position`.
  func links(in schema: SQLIdentifier) -> SQLFragment {
    guard let place else {
      if path.hops.isEmpty {
        return """
          (SELECT \(start)\(startKey) AS target, NULL::integer AS target_position, \
          NULL::integer AS owner_position)
          """
      }
      return """
        (SELECT way.target, NULL::integer AS target_position, NULL::integer AS owner_position \
        FROM \(path.subquery(from: start, in: schema)) AS way (target))
        """
    }
    let positions = LinkPlace.Position.allCases.map { position -> SQLFragment in
      let column = place.column(of: position).map { "place.\($0)" as SQLFragment }
      return "\(column ?? "NULL::integer") AS \(position.name)"
    }
    return """
      (SELECT place.\(place.target) AS target, \(positions.joined(separator: ", ")) \
      FROM \(QualifiedName(schema: schema, name: place.table)) AS place \
      WHERE place.\(place.owner) = \(start)\(startKey))
      """
  }
}

extension ModelProjection {
  /// Follows relationships from an entity.
  ///
  /// - Parameters:
  ///   - names: The names of the relationships.
  ///   - entity: The entity.
  ///   - start: What stands before the columns of its row.
  /// - Returns: The way.
  /// - Throws: Where the way leads nowhere.
  func way(
    over names: [String],
    from entity: EntityDescription,
    start: SQLFragment
  ) throws(ExpressionFault) -> LinkWay {
    var way = LinkWay(start: start, entity: entity, key: key(of: entity))
    for name in names {
      guard
        let end = relationshipEnd(named: name, of: way.entity),
        let target = model.entity(named: end.relationship.destinationEntityName),
        let table = table(of: target),
        let place = linkPlace(of: end.relationship, declaredBy: end.entity)
      else {
        throw .noValue(
          names.joined(separator: "."),
          detail: "has no relationship \"\(name)\" of entity \"\(way.entity.name)\" on its way."
        )
      }
      let hop = hop(over: place, to: table, end, key(of: target))
      way.path.hops.append(hop)
      way.path.value = hop.keys.next
      if end.relationship.isToMany { way.leadsToMany = true }
      // Links that count both ways are in the place one way only.
      var isSymmetric = false
      if case .join(let link, _, _) = hop { isSymmetric = link.isSymmetric }
      way.place = names.count == 1 && !isSymmetric ? place : nil
      way.entity = target
    }
    return way
  }

  private func relationshipEnd(
    named name: String,
    of entity: EntityDescription
  ) -> RelationshipEnd? {
    for declaring in model.lineage(of: entity) {
      if let relationship = declaring.relationships.first(where: {
        $0.name == name && !$0.isTransient
      }) {
        return RelationshipEnd(entity: declaring, relationship: relationship)
      }
    }
    return nil
  }
}
