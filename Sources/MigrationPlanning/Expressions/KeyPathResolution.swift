internal import Diagnostics
internal import ModelMapping
internal import ObjectModel
internal import SQLSyntax

/// The destination of a key path.
struct ResolvedKeyPath {
  enum End {
    case attribute(AttributeType, SQLIdentifier)
    case derived(AttributeDescription, of: EntityDescription)
    /// The own key of a to-one relationship.
    case reference(SQLIdentifier)
    /// As many rows as there are.
    case rows
  }

  var hops: [RelationshipPath.Hop]
  var isToMany: Bool
  var end: End
  /// The relationship of the last hop.
  var last: RelationshipEnd?
  /// The entity of the rows after the last hop.
  var entity: EntityDescription
}

extension ModelProjection {
  /// Follows a key path from an entity.
  ///
  /// - Parameters:
  ///   - path: The path.
  ///   - entity: The entity of the row that it starts from.
  ///   - breadth: The breadth of the expression.
  /// - Returns: The destination.
  /// - Throws: An error if it leads nowhere.
  func resolve(
    _ path: KeyPathExpression,
    from entity: EntityDescription,
    _ breadth: ExpressionBreadth
  ) throws(ExpressionFault) -> ResolvedKeyPath {
    var resolved = ResolvedKeyPath(hops: [], isToMany: false, end: .rows, entity: entity)
    var current = entity
    var names = path.names[...]
    while let name = names.popFirst() {
      let lineage = model.lineage(of: current)
      if let (owner, attribute) = lineage.attribute(named: name), !attribute.isTransient {
        resolved.end = try end(at: attribute, of: owner, names, path)
        return resolved
      }
      guard let (owner, relationship) = lineage.relationship(named: name),
        !relationship.isTransient
      else { throw unrecognized(name, of: current, lineage, path) }
      let end = RelationshipEnd(entity: owner, relationship: relationship)
      if names.isEmpty, path.aggregate == nil, !relationship.isToMany, resolved.hops.isEmpty,
        let column = columns[end.reference]?.column
      {
        resolved.end = .reference(column)
        return resolved
      }
      guard let hop = hop(over: end),
        let destination = model.entity(named: relationship.destinationEntityName)
      else {
        throw .noValue("\(path)", detail: "leads to an entity that never has rows.")
      }
      switch breadth {
      case .row:
        if relationship.isToMany || resolved.isToMany, !resolved.hops.isEmpty {
          throw .noValue("\(path)", detail: "goes over a to-many relationship and another one.")
        }
      case .mapping:
        // Foundation nests the values of one in those of the other, which is hardly ever meant.
        if relationship.isToMany, resolved.isToMany {
          throw .noValue("\(path)", detail: "goes over two to-many relationships.")
        }
      }
      resolved.isToMany = resolved.isToMany || relationship.isToMany
      resolved.hops.append(hop)
      resolved.last = end
      resolved.entity = destination
      current = destination
    }
    return resolved
  }

  /// Returns how many names of a path there are up to the first to-many relationship, with that one;
  /// none if there is none.
  func namesToMany(_ names: [String], from entity: EntityDescription) -> Int? {
    var current = entity
    for (index, name) in names.enumerated() {
      guard let (_, relationship) = model.lineage(of: current).relationship(named: name),
        let destination = model.entity(named: relationship.destinationEntityName)
      else { return nil }
      if relationship.isToMany { return index + 1 }
      current = destination
    }
    return nil
  }

  /// Returns the column that orders the rows which an ordered relationship leads to.
  func orderColumn(of resolved: ResolvedKeyPath) -> SQLIdentifier? {
    guard let end = resolved.last, end.relationship.isOrdered else { return nil }
    return linkPlace(of: end.relationship, declaredBy: end.entity)?.targetPosition
  }

  // MARK: - Values

  /// Returns the path to the value of a key path, with its type.
  ///
  /// - Parameters:
  ///   - path: The path.
  ///   - resolved: Its destination.
  ///   - isOwn: Whether the value is the row's own.
  ///   - breadth: The breadth of the expression.
  /// - Returns: The path, which is that of a column if it has no hops, and the type.
  /// - Throws: An error if there is no such value.
  func value(
    of path: KeyPathExpression,
    _ resolved: ResolvedKeyPath,
    isOwn: Bool,
    _ breadth: ExpressionBreadth
  ) throws(ExpressionFault) -> (RelationshipPath, ValueType, SQLTypeName?) {
    var way = RelationshipPath(hops: resolved.hops)
    if path.aggregate != nil || resolved.isToMany {
      guard let aggregate = path.aggregate, !aggregate.isCollection else {
        throw .noValue("\(path)", detail: "leads to many values.")
      }
      guard resolved.isToMany else {
        throw .noValue("\(path)", detail: "has \(aggregate.rawValue) of a single value.")
      }
      way.aggregate = aggregate
    }
    let type: AttributeType
    switch resolved.end {
    case .reference(let column):
      way.value = column
      return (way, .reference, nil)
    case .rows:
      if let aggregate = way.aggregate, aggregate != .count {
        throw .noValue("\(path)", detail: "has \(aggregate.rawValue) of rows, not of an attribute.")
      }
      if way.aggregate != nil { return (way, .integer, "bigint") }
      guard !way.hops.isEmpty, breadth == .mapping else {
        throw .noValue("\(path)", detail: "ends at a relationship.")
      }
      way.value = key(of: resolved.entity)
      return (way, .reference, nil)
    case .derived(let attribute, let owner):
      guard isOwn || breadth == .mapping,
        let column = columns(ofProperty: attribute.name, seenFrom: owner).first
      else { throw .derivedElsewhere("\(path)") }
      (type, way.value) = (attribute.type, column)
    case .attribute(let own, let column): (type, way.value) = (own, column)
    }
    if case .sql(let name) = type, breadth == .row, !way.hops.isEmpty {
      throw .unsupported(
        "Key path \"\(path)\" leads to a value of type \"\(name)\", of which nobody knows when it "
          + "changes",
        hint: "Derive over relationships from the types of the model only."
      )
    }
    let kind = ValueType(type)
    switch way.aggregate {
    case nil, .unionOfObjects, .distinctUnionOfObjects: return (way, kind, type.columnType)
    case .count: return (way, .integer, "bigint")
    case .sum, .average:
      guard kind.isNumeric else {
        throw .incompatible(
          "\(path)",
          detail: "\(path.aggregate?.rawValue ?? "") takes numbers only."
        )
      }
      if kind == .double { way.valueCast = "double precision" }
      let isExact = kind == .decimal || (kind == .integer && way.aggregate == .sum)
      return (way, isExact ? kind : .double, way.valueCast)
    case .minimum, .maximum:
      guard kind.isOrdered else {
        throw .incompatible(
          "\(path)",
          detail: "\(path.aggregate?.rawValue ?? "") takes values with an order."
        )
      }
      return (way, kind, type.columnType)
    }
  }

  // MARK: - Ends

  private func end(
    at attribute: AttributeDescription,
    of owner: EntityDescription,
    _ names: ArraySlice<String>,
    _ path: KeyPathExpression
  ) throws(ExpressionFault) -> ResolvedKeyPath.End {
    if attribute.derivationExpression != nil {
      guard names.isEmpty else { throw .pathThroughAttribute("\(path)", attribute: attribute.name) }
      return .derived(attribute, of: owner)
    }
    var part = attribute
    for name in names {
      guard case .composite(let composite) = part.type else {
        throw .pathThroughAttribute("\(path)", attribute: part.name)
      }
      let elements = model.composite(named: composite)?.elements.filter { !$0.isTransient } ?? []
      guard let element = elements.first(where: { $0.name == name }) else {
        throw .unrecognizedKeyPath(
          "\(path)",
          property: name,
          entity: composite,
          suggestion: suggestion(for: name, among: elements.map(\.name))
        )
      }
      part = element
    }
    let origin = ColumnOrigin.attribute(entity: owner.name, attribute.name, path: Array(names))
    guard let column = columns[origin]?.column else {
      throw .noValue("\(path)", detail: "ends at a composite.")
    }
    return .attribute(part.type, column)
  }

  private func unrecognized(
    _ name: String,
    of entity: EntityDescription,
    _ lineage: [EntityDescription],
    _ path: KeyPathExpression
  ) -> ExpressionFault {
    let known = lineage.flatMap { $0.attributes.map(\.name) + $0.relationships.map(\.name) }
    return .unrecognizedKeyPath(
      "\(path)",
      property: name,
      entity: entity.name,
      suggestion: suggestion(for: name, among: known.filter { $0 != name })
    )
  }

  // MARK: - Hops

  /// Returns the hop over a relationship; none if one of its ends has no table.
  func hop(over end: RelationshipEnd) -> RelationshipPath.Hop? {
    guard let target = target(of: end.relationship), let table = table(of: target),
      let place = linkPlace(of: end.relationship, declaredBy: end.entity)
    else { return nil }
    var keys = RelationshipPath.Hop.Keys(previous: key(of: end.entity), next: key(of: target))
    if place.isJoinTable {
      let link = RelationshipPath.Link(
        table: place.table,
        owner: place.owner,
        destination: place.target,
        isSymmetric: model.inverseEnd(of: end)?.joinedDestination == end.joinedDestination
      )
      return .join(link, table: table, keys)
    }
    let column = place.isInOwner ? place.target : place.owner
    let foreignKey = schema.tables[place.table]?.constraints.lazy.compactMap(\.foreignKey)
      .first { $0.column == column }
    if let columns = foreignKey?.distribution {
      keys.distribution =
        place.isInOwner
        ? .init(previous: columns.column, next: columns.key)
        : .init(previous: columns.key, next: columns.column)
    }
    if place.isInOwner { return .forward(column: column, table: table, keys) }
    return .backward(table: table, column: column, keys)
  }
}

extension [EntityDescription] {
  fileprivate func attribute(
    named name: String
  ) -> (EntityDescription, AttributeDescription)? {
    for entity in self {
      if let attribute = entity.attributes.first(where: { $0.name == name }) {
        return (entity, attribute)
      }
    }
    return nil
  }

  /// Returns a relationship of one of the entities with the entity that declares it.
  func relationship(
    named name: String
  ) -> (EntityDescription, RelationshipDescription)? {
    for entity in self {
      if let relationship = entity.relationships.first(where: { $0.name == name }) {
        return (entity, relationship)
      }
    }
    return nil
  }
}
