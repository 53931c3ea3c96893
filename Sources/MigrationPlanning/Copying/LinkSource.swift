internal import Diagnostics
internal import ModelMapping
internal import ObjectModel
internal import SQLSyntax

/// The rows that a relationship of a new row leads to.
indirect enum LinkSource {
  /// An expression in SQL, with its reads.
  typealias Value = (value: SQLFragment, expression: RowExpression)

  /// No rows.
  case none
  /// The rows that some mappings create from those at the end of a path.
  case path(LinkPath, via: [MappedRows])
  /// The row of a mapping that has these values.
  case keyed(MappedRows, [Value])
  /// One of two, by a condition.
  case choice(Value, LinkSource, LinkSource)
}

/// Finds the rows that the relationships of one entity mapping lead to.
struct LinkFinder {
  private let mapped: MappedSource
  private let rows: MappedRows
  private let relationship: RelationshipDescription

  private var request: CopyRequest { mapped.request }
  /// The entities that the relationship can lead to.
  private let family: Set<String>

  init(_ mapped: MappedSource, _ rows: MappedRows, _ relationship: RelationshipDescription) {
    self.mapped = mapped
    self.rows = rows
    self.relationship = relationship
    let model = mapped.request.destination.model
    let entity = model.entity(named: relationship.destinationEntityName)
    family = Set(entity.map { model.family(of: $0).map(\.name) } ?? [])
  }

  /// Returns the destinations of the relationship.
  ///
  /// - Throws: The reason why the relationship cannot be mapped.
  func links() throws(MappingFault) -> LinkSource {
    let value = rows.valueExpression(of: relationship.name)
    if case .expression(let expression) = value { return try links(expression) }
    if let reversed = try reversedLinks() { return reversed }
    guard case .destinationInstances(let name) = value else { return LinkSource.none }
    return try path(over: [name])
  }

  private func fault(_ fact: MappingFault.Fact) -> MappingFault {
    rows.fault(relationship.name, fact)
  }

  private func evaluate<Value>(
    _ body: (inout RowExpression) throws(ExpressionFault) -> Value
  ) throws(MappingFault) -> (value: Value, expression: RowExpression) {
    try rows.evaluate(in: request.source, for: relationship.name, body)
  }

  private func path(
    over names: [String],
    from alias: SQLIdentifier = MappedRows.sourceAlias
  ) throws(MappingFault) -> LinkSource {
    let entity = alias == MappedRows.eachAlias ? rows.each?.entity : rows.entity
    guard let entity else { return LinkSource.none }
    do {
      let path = try LinkPath(over: names, from: entity, alias: alias, in: request.source)
      let sources = Set(request.source.model.family(of: path.entity).map(\.name))
      let via = mapped.rows.filter {
        sources.contains($0.entity.name) && family.contains($0.target.name)
      }
      return .path(path, via: via)
    } catch {
      throw fault(.expression(error))
    }
  }

  private func links(_ expression: Expression) throws(MappingFault) -> LinkSource {
    if case .constant(.null) = expression { return LinkSource.none }
    if case .destinationInstances(let lookup) = expression { return try links(lookup) }
    if case .lookup(let name, let keys) = expression { return try keyed(name, keys) }
    if case .ternary(let condition, let first, let second) = expression {
      let condition = try evaluate { row throws(ExpressionFault) in try row.condition(condition) }
      return .choice(condition, try links(first), try links(second))
    }
    // Whatever else the language has gives values, not rows.
    throw fault(
      .expression(
        .unsupported(
          "\"\(expression)\" gives no rows of the destination",
          hint: "Look them up: lookup(\"Mapping\", key), or "
            + "FUNCTION($manager, \"destinationInstancesForEntityMappingNamed:sourceInstances:\", "
            + "\"Mapping\", $source.relationship)."
        )
      )
    )
  }

  private func links(_ lookup: Expression.InstanceLookup) throws(MappingFault) -> LinkSource {
    guard let (alias, names) = lookup.path else {
      throw fault(
        .expression(
          .unsupported(
            "\"\(lookup.sources)\" gives no rows of the source that could be looked up",
            hint: "Give $source, or a key path over relationships: $source.owner."
          )
        )
      )
    }
    let found = try path(over: names, from: alias)
    guard case .path(let path, let all) = found, case .named(let name) = lookup.mapping else {
      return found
    }
    let named = try known(name)
    guard family.contains(named.target.name) else { throw fault(.unfittingMapping(name)) }
    let keepsKeys = request.scope.keptKeys.contains(name)
    if named.mapping.makesWrittenRows, named.map == nil, !keepsKeys { throw fault(.noLookup(name)) }
    // A lookup by the mapping of an entity means those of the entities that inherit from it, too.
    let isWhole =
      named.entity.name == path.entity.name && keepsKeys && named.mapping.condition == nil
      && named.target.name == relationship.destinationEntityName
    return .path(path, via: isWhole ? all : [named])
  }

  private func known(_ name: String) throws(MappingFault) -> MappedRows {
    if let known = mapped[name] { return known }
    let names = mapped.rows.map(\.mapping.name).sorted()
    throw fault(.unrecognizedMapping(name, suggestion: suggestion(for: name, among: names)))
  }

  private func keyed(_ name: String, _ keys: [Expression]) throws(MappingFault) -> LinkSource {
    let named = try known(name)
    guard let map = named.map, map.keys != nil, map.values.count == keys.count else {
      throw fault(.noLookup(name))
    }
    // A row that has the values itself is one of those that became the row with these values.
    let distinct = named.mapping.distinct?.keys.map(\.ofSource)
    if named.entity.name == rows.entity.name, distinct == keys.map(\.ofSource) {
      guard case .path(let path, _) = try path(over: []) else { return LinkSource.none }
      return .path(path, via: [named])
    }
    var values: [LinkSource.Value] = []
    for (key, value) in zip(keys, map.values) {
      values.append(
        try evaluate { row throws(ExpressionFault) -> SQLFragment in
          "\(try row.value(key).sql)::\(value.type)"
        }
      )
    }
    return .keyed(named, values)
  }

  // MARK: - The other end

  /// Returns the links that only the mapping of the inverse determines, reversed.
  private func reversedLinks() throws(MappingFault) -> LinkSource? {
    let model = request.destination.model
    guard let inverse = model.inverse(of: relationship) else { return nil }
    let family = Set(model.family(of: inverse.declaringEntity).map(\.name))
    for other in mapped.rows where family.contains(other.target.name) {
      let value = other.valueExpression(of: inverse.relationship.name)
      guard case .expression(let expression) = value, !isOfOthers(expression) else { continue }
      if let path = reversed(expression, of: other) { return .path(path, via: [other]) }
      if case .constant(.null) = expression { continue }
      throw other.fault(
        inverse.relationship.name,
        .mappedAtOtherEnd(inverse: relationship.name)
      )
    }
    return nil
  }

  /// Returns whether an expression looks rows of other mappings up.
  private func isOfOthers(_ expression: Expression) -> Bool {
    guard case .destinationInstances(let lookup) = expression,
      case .named(let name) = lookup.mapping, let named = mapped[name]
    else { return false }
    return name != rows.mapping.name && named.target.name != rows.target.name
  }

  private func reversed(_ expression: Expression, of other: MappedRows) -> LinkPath? {
    guard case .destinationInstances(let lookup) = expression,
      let (alias, names) = lookup.path, alias == MappedRows.sourceAlias, names.count < 2
    else { return nil }
    var inverses: [String] = []
    if let name = names.first {
      let model = request.source.model
      guard let (_, relationship) = model.lineage(of: other.entity).relationship(named: name),
        let inverse = model.inverse(of: relationship)
      else { return nil }
      inverses = [inverse.relationship.name]
    } else if other.entity.name != rows.entity.name {
      return nil
    }
    return try? LinkPath(over: inverses, from: rows.entity, alias: alias, in: request.source)
  }
}

extension Expression {
  /// The expression with unqualified names in place of qualified ones.
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
