internal import ModelMapping
internal import ObjectModel
internal import SQLSyntax

/// The path over relationships of the source to the rows whose destinations a relationship leads to.
struct LinkPath {
  /// The row that the path starts from.
  let alias: SQLIdentifier
  /// The hops; without any it is the row itself.
  private(set) var path: RelationshipPath
  /// The place of the links, if the path is one relationship.
  private(set) var place: LinkPlace?
  /// A Boolean value that indicates whether it may lead to several rows.
  private(set) var leadsToMany = false
  /// The entity at the end of the path.
  private(set) var entity: EntityDescription
  /// The key of the row that the path starts from.
  private let startKey: SQLIdentifier

  /// Follows relationships from an entity.
  ///
  /// - Parameters:
  ///   - names: The names of the relationships.
  ///   - entity: The entity.
  ///   - alias: The name of its row in statements.
  ///   - projection: The version.
  /// - Throws: An error if the path leads nowhere.
  init(
    over names: [String] = [],
    from entity: EntityDescription,
    alias: SQLIdentifier,
    in projection: ModelProjection
  ) throws(ExpressionFault) {
    self.alias = alias
    self.entity = entity
    startKey = projection.key(of: entity)
    path = RelationshipPath(hops: [], value: startKey)
    for name in names {
      let lineage = projection.model.lineage(of: self.entity)
      guard let (owner, relationship) = lineage.relationship(named: name),
        !relationship.isTransient,
        let target = projection.model.entity(named: relationship.destinationEntityName),
        let place = projection.linkPlace(of: relationship, declaredBy: owner),
        let hop = projection.hop(over: RelationshipEnd(entity: owner, relationship: relationship))
      else {
        throw .noValue(
          names.joined(separator: "."),
          detail: "has no relationship \"\(name)\" of entity \"\(self.entity.name)\" on its way."
        )
      }
      path.hops.append(hop)
      path.value = hop.keys.next
      leadsToMany = leadsToMany || relationship.isToMany
      // Links that count both ways are in the place one way only.
      var isSymmetric = false
      if case .join(let link, _, _) = hop { isSymmetric = link.isSymmetric }
      self.place = names.count == 1 && !isSymmetric ? place : nil
      self.entity = target
    }
  }

  /// The column of the row itself with the key at the end; `nil` if other rows have to be read.
  var keyColumn: SQLIdentifier? {
    guard let first = path.hops.first else { return startKey }
    if path.hops.count == 1, case .forward(let column, _, _) = first { return column }
    return nil
  }

  /// Returns the key at the end of a path that leads to one row at most.
  func key(in schema: SQLIdentifier) -> SQLFragment {
    keyColumn.map { "\(alias).\($0)" } ?? path.subquery(from: "\(alias).", in: schema)
  }

  /// Returns a query for the keys at the end of the path, as `target`, with the places of the links as
  /// `target_position` and `owner_position`.
  func links(in schema: SQLIdentifier) -> SQLFragment {
    guard let place else {
      if path.hops.isEmpty {
        return """
          (SELECT \(alias).\(startKey) AS target, NULL::integer AS target_position, \
          NULL::integer AS owner_position)
          """
      }
      return """
        (SELECT way.target, NULL::integer AS target_position, NULL::integer AS owner_position \
        FROM \(path.subquery(from: "\(alias).", in: schema)) AS way (target))
        """
    }
    let positions = LinkPlace.Position.allCases.map { position -> SQLFragment in
      let column = place.column(of: position).map { "place.\($0)" as SQLFragment }
      return "\(column ?? "NULL::integer") AS \(position.name)"
    }
    return """
      (SELECT place.\(place.target) AS target, \(positions.joined(separator: ", ")) \
      FROM \(QualifiedName(schema: schema, name: place.table)) AS place \
      WHERE place.\(place.owner) = \(alias).\(startKey))
      """
  }
}
