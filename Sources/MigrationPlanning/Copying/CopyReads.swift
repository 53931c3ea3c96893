internal import SQLSyntax

/// What of the source's tables the rows that are made follow from.
struct CopyReads {
  private var watched: [SQLIdentifier: Set<SQLIdentifier>] = [:]
  private var carried: [SQLIdentifier: Set<SQLIdentifier>] = [:]

  mutating func watch(_ columns: some Sequence<SQLIdentifier>, of table: SQLIdentifier) {
    watched[table, default: []].formUnion(columns)
  }

  mutating func watch(_ path: RelationshipPath, from table: SQLIdentifier) {
    if case .forward(let column, _, _) = path.hops.first { watch([column], of: table) }
    for source in path.sources { watch(source.columns, of: source.table) }
    for case .backward(let table, let column, _) in path.hops {
      carried[table, default: []].insert(column)
      watch([column], of: table)
    }
  }

  mutating func watch(_ place: LinkPlace) {
    let positions = [place.ownerPosition, place.targetPosition].compactMap(\.self)
    watch([place.owner, place.target] + positions, of: place.table)
    if place.isInTarget { carried[place.table, default: []].insert(place.owner) }
  }

  /// Returns the tables, given those of the source.
  func sources(_ tables: [SQLIdentifier: Table]) -> [CopySource] {
    watched.keys.sorted().compactMap { name in
      guard let table = tables[name] else { return nil }
      let key = table.constraints.first(where: \.isPrimaryKey)?.columns ?? []
      func columns(_ names: some Sequence<SQLIdentifier>) -> [CopySource.KeyColumn] {
        names.compactMap { table.column($0) }.map { .init(name: $0.name, type: $0.type) }
      }
      let carried = (carried[name] ?? []).subtracting(key)
      return CopySource(
        table: name,
        key: columns(key),
        carried: columns(carried.sorted()),
        watched: (watched[name] ?? []).union(key).union(carried).sorted()
      )
    }
  }
}
