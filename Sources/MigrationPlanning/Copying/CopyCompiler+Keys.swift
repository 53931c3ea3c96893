internal import ModelMapping
internal import ObjectModel
internal import SQLSyntax

/// The keys that lead from a row that is made to another.
extension CopyCompiler {
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
    } else if way.path.hops.count == 1, case .forward(let column, _, _) = way.path.hops[0] {
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
    let ownKey = destination.key(of: table)
    let staged = QualifiedName(schema: plan.stagingSchema, name: table)
    var conditions: [SQLFragment] = ["\(alias).\(ownKey) = \(key)"]
    if destination.membership(of: [target.target.name], in: table) != nil {
      let name = SQLLiteral.text(target.target.name)
      conditions.append("\(alias).\(StorageNames.discriminator) = \(name)")
    }
    return """
      (SELECT \(alias).\(ownKey) FROM \(staged) AS \(alias) \
      WHERE \(conditions.joined(separator: " AND ")))
      """
  }

  private mutating func translated(_ key: SQLFragment, by target: MappedRows) -> SQLFragment? {
    reads.watch(target.decidingColumns.union([target.key]), of: target.table)
    if !target.decidingPaths.isEmpty {
      obstruct("entity mapping \"\(target.mapping.name)\" chooses its rows by those of others")
    }
    if let map = target.map {
      let isOne = target.each == nil && target.mapping.instanceCreation?.count != .any
      let first: SQLFragment = isOne ? "" : " ORDER BY 1 LIMIT 1"
      return """
        (SELECT known.\(MappedRows.MapNames.destination) FROM \(map.members) AS known \
        WHERE known.\(MappedRows.MapNames.source) = \(key)\(first))
        """
    }
    if target.mapping.makesWrittenRows { return unmappedRow(of: target, key) }
    let alias: SQLIdentifier = "target"
    var conditions: [SQLFragment] = ["\(alias).\(target.key) = \(key)"]
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
      (SELECT \(alias).\(target.key) FROM \(QualifiedName(schema: schema, name: target.table)) \
      AS \(alias) WHERE \(conditions.joined(separator: " AND ")))
      """
  }
}
