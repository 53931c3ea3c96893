internal import Diagnostics
internal import ModelMapping
internal import ObjectModel
internal import SQLSyntax

/// Where the rows come from that a relationship of a row leads to.
indirect enum LinkSource {
  /// Nowhere.
  case none
  /// What the rows at the end of a way have become by some mappings.
  case way(LinkWay, via: [MappedRows])
  /// The row of a mapping that has these values.
  case keyed(MappedRows, [SQLFragment])
  /// One of two, by a condition.
  case choice(SQLFragment, LinkSource, LinkSource)
}

extension CopyCompiler {
  /// Returns where the links of a relationship come from; none if there is a fault.
  mutating func links(of relationship: RelationshipDescription, _ rows: MappedRows) -> LinkSource? {
    let value = rows.mapping(of: relationship.name)?.valueExpression
    if case .expression(let expression) = value {
      return links(expression, relationship, rows)
    }
    if let reversed = reversedLinks(of: relationship, rows) { return reversed }
    guard case .destinationInstances(let name) = value else { return LinkSource.none }
    return way(over: [name], of: relationship, rows)
  }

  private mutating func way(
    over names: [String],
    start: SQLIdentifier = MappedRows.sourceAlias,
    of relationship: RelationshipDescription,
    _ rows: MappedRows
  ) -> LinkSource? {
    let entity = start == MappedRows.eachAlias ? rows.each?.entity : rows.entity
    guard let entity else { return LinkSource.none }
    do {
      let way = try source.way(over: names, from: entity, start: "\(start).")
      return .way(way, via: mappings(from: way.entity, to: relationship))
    } catch {
      fault(rows.mapping.name, relationship.name, .expression(error))
      return nil
    }
  }

  /// Returns the mappings of rows of an entity, or of one that inherits from it, to rows that a
  /// relationship can lead to.
  private func mappings(
    from entity: EntityDescription,
    to relationship: RelationshipDescription
  ) -> [MappedRows] {
    let sources = Set(source.model.family(of: entity).map(\.name))
    let targets = family(of: relationship)
    return mapping.mappingModel.entityMappings.compactMap { rows[$0.name] }.filter {
      sources.contains($0.entity.name) && targets.contains($0.target.name)
    }
  }

  private func family(of relationship: RelationshipDescription) -> Set<String> {
    let entity = destination.model.entity(named: relationship.destinationEntityName)
    return Set(entity.map { destination.model.family(of: $0).map(\.name) } ?? [])
  }

  private mutating func links(
    _ expression: Expression,
    _ relationship: RelationshipDescription,
    _ rows: MappedRows
  ) -> LinkSource? {
    if case .constant(.null) = expression { return LinkSource.none }
    if case .destinationInstances(let lookup) = expression {
      return links(lookup, relationship, rows)
    }
    if case .lookup(let name, let keys) = expression {
      return keyed(name, keys, relationship, rows)
    }
    if case .ternary(let condition, let first, let second) = expression {
      let sql = evaluate(rows, relationship.name) { row throws(ExpressionFault) in
        try row.condition(condition)
      }
      guard let sql, let first = links(first, relationship, rows),
        let second = links(second, relationship, rows)
      else { return nil }
      return .choice(sql, first, second)
    }
    // Whatever else the language has gives values, not rows.
    fault(
      rows.mapping.name,
      relationship.name,
      .expression(
        .unsupported(
          "\"\(expression)\" gives no rows of the destination",
          hint: "Look them up: lookup(\"Mapping\", key), or "
            + "FUNCTION($manager, \"destinationInstancesForEntityMappingNamed:sourceInstances:\", "
            + "\"Mapping\", $source.relationship)."
        )
      )
    )
    return nil
  }

  private mutating func links(
    _ lookup: Expression.InstanceLookup,
    _ relationship: RelationshipDescription,
    _ rows: MappedRows
  ) -> LinkSource? {
    let found =
      if let (start, names) = lookup.path {
        way(over: names, start: start, of: relationship, rows)
      } else {
        unusable(lookup.sources, relationship, rows)
      }
    guard case .way(let way, let all) = found, case .named(let name) = lookup.mapping else {
      return found
    }
    guard let named = known(name, relationship, rows) else { return nil }
    guard family(of: relationship).contains(named.target.name) else {
      fault(rows.mapping.name, relationship.name, .unfittingMapping(name))
      return nil
    }
    if named.mapping.makesWrittenRows, named.map == nil, !scope.keptKeys.contains(name) {
      fault(rows.mapping.name, relationship.name, .noLookup(name))
      return nil
    }
    // Whoever names the mapping of an entity means those of the entities that inherit from it, too.
    let isWhole =
      named.entity.name == way.entity.name && scope.keptKeys.contains(name)
      && named.mapping.condition == nil
      && named.target.name == relationship.destinationEntityName
    return .way(way, via: isWhole ? all : [named])
  }

  private mutating func unusable(
    _ expression: Expression,
    _ relationship: RelationshipDescription,
    _ rows: MappedRows
  ) -> LinkSource? {
    fault(
      rows.mapping.name,
      relationship.name,
      .expression(
        .unsupported(
          "\"\(expression)\" gives no rows of the source that could be looked up",
          hint: "Give $source, or a key path over relationships: $source.owner."
        )
      )
    )
    return nil
  }

  private mutating func known(
    _ name: String,
    _ relationship: RelationshipDescription,
    _ rows: MappedRows
  ) -> MappedRows? {
    if let known = self.rows[name] { return known }
    fault(
      rows.mapping.name,
      relationship.name,
      .unrecognizedMapping(name, suggestion: suggestion(for: name, among: self.rows.keys.sorted()))
    )
    return nil
  }

  private mutating func keyed(
    _ name: String,
    _ keys: [Expression],
    _ relationship: RelationshipDescription,
    _ rows: MappedRows
  ) -> LinkSource? {
    guard let named = known(name, relationship, rows) else { return nil }
    guard let map = named.map, map.keys != nil, map.values.count == keys.count else {
      fault(rows.mapping.name, relationship.name, .noLookup(name))
      return nil
    }
    // A row that has the values itself is one of those that became what is looked up.
    let distinct = named.mapping.distinct?.keys.map(\.ofSource)
    if named.entity.name == rows.entity.name, distinct == keys.map(\.ofSource) {
      let way = LinkWay(start: "\(MappedRows.sourceAlias).", entity: rows.entity, key: rows.key)
      return .way(way, via: [named])
    }
    obstruct("entity mapping \"\(rows.mapping.name)\" looks rows up by their values")
    let values = zip(keys, map.values).compactMap { key, value in
      evaluate(rows, relationship.name) { row throws(ExpressionFault) -> SQLFragment in
        "\(try row.value(key).sql)::\(value.type)"
      }
    }
    return values.count == keys.count ? .keyed(named, values) : nil
  }

  // MARK: - The other end

  /// Returns the links that only the mapping of the inverse tells, turned around.
  private mutating func reversedLinks(
    of relationship: RelationshipDescription,
    _ rows: MappedRows
  ) -> LinkSource? {
    guard let inverse = destination.model.inverse(of: relationship) else { return nil }
    let family = Set(destination.model.family(of: inverse.declaringEntity).map(\.name))
    for other in mapping.mappingModel.entityMappings.compactMap({ self.rows[$0.name] })
    where family.contains(other.target.name) {
      let value = other.mapping(of: inverse.relationship.name)?.valueExpression
      guard case .expression(let expression) = value, !isOfOthers(expression, rows) else {
        continue
      }
      if let way = reversed(expression, of: other, rows) { return .way(way, via: [other]) }
      if case .constant(.null) = expression { continue }
      fault(
        other.mapping.name,
        inverse.relationship.name,
        .mappedAtOtherEnd(inverse: relationship.name)
      )
    }
    return nil
  }

  /// Returns whether an expression looks rows of other mappings up.
  private func isOfOthers(_ expression: Expression, _ rows: MappedRows) -> Bool {
    guard case .destinationInstances(let lookup) = expression,
      case .named(let name) = lookup.mapping, let named = self.rows[name]
    else { return false }
    return name != rows.mapping.name && named.target.name != rows.target.name
  }

  private func reversed(
    _ expression: Expression,
    of other: MappedRows,
    _ rows: MappedRows
  ) -> LinkWay? {
    guard case .destinationInstances(let lookup) = expression else { return nil }
    let start: SQLFragment = "\(MappedRows.sourceAlias)."
    guard let (alias, names) = lookup.path, alias == MappedRows.sourceAlias else { return nil }
    if names.isEmpty {
      return other.entity.name == rows.entity.name
        ? LinkWay(start: start, entity: rows.entity, key: rows.key) : nil
    }
    guard names.count == 1, let inverse = inverse(of: names[0], of: other.entity) else {
      return nil
    }
    return try? source.way(over: [inverse], from: rows.entity, start: start)
  }

  private func inverse(of name: String, of entity: EntityDescription) -> String? {
    for declaring in source.model.lineage(of: entity) {
      if let relationship = declaring.relationships.first(where: { $0.name == name }) {
        return source.model.inverse(of: relationship)?.relationship.name
      }
    }
    return nil
  }
}

extension Expression {
  /// The expression with a bare name in place of one that says whose it is.
  fileprivate var ofSource: Expression {
    guard case .keyPath(var path) = self, path.base == .variable("source") else { return self }
    path.base = .row
    return .keyPath(path)
  }
}

extension Expression.InstanceLookup {
  /// The relationships that lead to the rows that are looked up, and the row that they start from;
  /// none if they are found in any other way.
  fileprivate var path: (start: SQLIdentifier, names: [String])? {
    let base: String
    var names: [String] = []
    if case .variable(let name) = sources {
      base = name
    } else if case .keyPath(let path) = sources, path.aggregate == nil {
      names = path.names
      switch path.base {
      case .row: base = "source"
      case .variable(let name): base = name
      case .expression: return nil
      }
    } else {
      return nil
    }
    switch base {
    case "source": return (MappedRows.sourceAlias, names)
    case "each": return (MappedRows.eachAlias, names)
    default: return nil  // Other variables stand for no row of the source.
    }
  }
}
