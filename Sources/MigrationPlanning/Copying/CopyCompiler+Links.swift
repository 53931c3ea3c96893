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
  // MARK: - Finding

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
    switch expression {
    case .constant(.null): return LinkSource.none
    case .destinationInstances(let lookup): return links(lookup, relationship, rows)
    case .lookup(let name, let keys): return keyed(name, keys, relationship, rows)
    case .ternary(let condition, let first, let second):
      let sql = evaluate(rows, relationship.name) { row throws(ExpressionFault) in
        try row.condition(condition)
      }
      guard let sql, let first = links(first, relationship, rows),
        let second = links(second, relationship, rows)
      else { return nil }
      return .choice(sql, first, second)
    default:  // Whatever else the language has gives values, not rows.
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
  }

  private mutating func links(
    _ lookup: Expression.InstanceLookup,
    _ relationship: RelationshipDescription,
    _ rows: MappedRows
  ) -> LinkSource? {
    let found: LinkSource?
    switch lookup.sources {
    case .variable("source"): found = way(over: [], of: relationship, rows)
    case .variable("each"):
      found = way(over: [], start: MappedRows.eachAlias, of: relationship, rows)
    case .keyPath(let path) where path.aggregate == nil:
      switch path.base {
      case .row, .variable("source"): found = way(over: path.names, of: relationship, rows)
      case .variable("each"):
        found = way(over: path.names, start: MappedRows.eachAlias, of: relationship, rows)
      case .variable, .expression: found = unusable(lookup.sources, relationship, rows)
      }
    default: found = unusable(lookup.sources, relationship, rows)  // As above.
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
      let way = LinkWay(start: "\(MappedRows.sourceAlias).", entity: rows.entity)
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
    switch lookup.sources {
    case .variable("source"):
      guard other.entity.name == rows.entity.name else { return nil }
      return LinkWay(start: start, entity: rows.entity)
    case .keyPath(let path):
      guard path.aggregate == nil, path.names.count == 1,
        let inverse = inverse(of: path.names[0], of: other.entity)
      else { return nil }
      return try? source.way(over: [inverse], from: rows.entity, start: start)
    default: return nil  // Nothing else can be turned around.
    }
  }

  private func inverse(of name: String, of entity: EntityDescription) -> String? {
    for declaring in source.model.lineage(of: entity) {
      if let relationship = declaring.relationships.first(where: { $0.name == name }) {
        return source.model.inverse(of: relationship)?.relationship.name
      }
    }
    return nil
  }

  // MARK: - Keys

  /// Returns the key that a to-one relationship gets.
  mutating func key(_ links: LinkSource, _ rows: MappedRows) -> SQLFragment? {
    switch links {
    case .none: return nil
    case .way(let way, let via):
      noteStart(of: way, rows)
      return translated(way.key(in: schema), way, via, rows)
    case .keyed(let named, let values): return lookup(named, values)
    case .choice(let condition, let first, let second):
      let first = key(first, rows) ?? "NULL"
      let second = key(second, rows) ?? "NULL"
      return "CASE WHEN \(condition) THEN \(first) ELSE \(second) END"
    }
  }

  private mutating func noteStart(of way: LinkWay, _ rows: MappedRows) {
    if way.start == "\(MappedRows.eachAlias)." {
      depend(on: way.path, ofEachOf: rows)
    } else if way.path.hops.count == 1, case .forward(let column, _) = way.path.hops[0] {
      reads.watch([column], of: rows.table)
    } else if !way.path.hops.isEmpty {
      depend(on: way.path, of: rows)
    }
  }

  private func lookup(_ named: MappedRows, _ values: [SQLFragment]) -> SQLFragment? {
    guard let map = named.map, let keys = map.keys else { return nil }
    let conditions = zip(map.values, values).map {
      "known.\($0.column) = \($1)" as SQLFragment
    }
    return """
      (SELECT known.\(MappedRows.MapNames.destination) FROM \(keys) AS known \
      WHERE \(conditions.joined(separator: " AND ")))
      """
  }

  /// Returns what a key of the source has become by some mappings.
  mutating func translated(
    _ key: SQLFragment,
    _ way: LinkWay,
    _ via: [MappedRows],
    _ rows: MappedRows
  ) -> SQLFragment? {
    guard !via.isEmpty else { return nil }
    let members = Set(source.concreteFamily(of: way.entity))
    let isPlain = via.allSatisfy {
      $0.map == nil && $0.mapping.condition == nil && $0.each == nil
        && !$0.mapping.makesWrittenRows
    }
    if isPlain, members.isSubset(of: via.map(\.entity.name)) { return key }
    if way.start == "\(MappedRows.eachAlias)." {
      depend(on: way.path, ofEachOf: rows)
    } else if !way.path.hops.isEmpty {
      depend(on: way.path, of: rows)
    }
    let branches = via.compactMap { translated(key, by: $0) }
    if branches.isEmpty { return nil }
    if branches.count == 1 { return branches[0] }
    return "coalesce(\(branches.joined(separator: ", ")))"
  }

  /// Returns the key if people's SQL has made a row with it; none if such rows have other keys.
  func unmappedRow(of target: MappedRows, _ key: SQLFragment) -> SQLFragment? {
    guard scope.keptKeys.contains(target.mapping.name),
      let table = destination.table(of: target.target)
    else { return nil }
    let alias: SQLIdentifier = "made"
    let staged = QualifiedName(schema: plan.stagingSchema, name: table)
    var conditions: [SQLFragment] = ["\(alias).\(StorageNames.key) = \(key)"]
    if destination.membership(of: [target.target.name], in: table) != nil {
      let name = SQLLiteral.text(target.target.name)
      conditions.append("\(alias).\(StorageNames.discriminator) = \(name)")
    }
    return """
      (SELECT \(alias).\(StorageNames.key) FROM \(staged) AS \(alias) \
      WHERE \(conditions.joined(separator: " AND ")))
      """
  }

  private mutating func translated(_ key: SQLFragment, by target: MappedRows) -> SQLFragment? {
    reads.watch(target.decidingColumns.union([StorageNames.key]), of: target.table)
    if !target.decidingPaths.isEmpty {
      obstruct("entity mapping \"\(target.mapping.name)\" chooses its rows by those of others")
    }
    if let map = target.map {
      let first: SQLFragment = target.each == nil ? "" : " ORDER BY 1 LIMIT 1"
      return """
        (SELECT known.\(MappedRows.MapNames.destination) FROM \(map.members) AS known \
        WHERE known.\(MappedRows.MapNames.source) = \(key)\(first))
        """
    }
    if target.mapping.makesWrittenRows { return unmappedRow(of: target, key) }
    let alias: SQLIdentifier = "target"
    var conditions: [SQLFragment] = ["\(alias).\(StorageNames.key) = \(key)"]
    if source.membership(of: [target.entity.name], in: target.table) != nil {
      let name = SQLLiteral.text(target.entity.name)
      conditions.append("\(alias).\(StorageNames.discriminator) = \(name)")
    }
    if let predicate = target.mapping.condition {
      var other = target
      other.each = nil
      let condition = evaluate(other, nil, alias: alias, notesDependencies: false) {
        row throws(ExpressionFault) in try row.condition(predicate)
      }
      if let condition { conditions.append("(\(condition))") }
    }
    return """
      (SELECT \(alias).\(StorageNames.key) FROM \(QualifiedName(schema: schema, name: target.table)) \
      AS \(alias) WHERE \(conditions.joined(separator: " AND ")))
      """
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
