internal import ModelMapping
internal import SQLSyntax

/// The by-products of a compilation pass: faults, the columns that it reads of the source, and
/// obstacles to writing meanwhile.
struct CopyNotes {
  /// Everything in the mapping that cannot be carried out.
  private(set) var faults: [MappingFault] = []
  /// The first reason why the service cannot write during the copy.
  private(set) var onlineObstacle: String?
  /// Which units of a table follow from changed rows.
  private(set) var dependencies: [CopyDependency] = []
  private var watched: [SQLIdentifier: Set<SQLIdentifier>] = [:]
  private var carried: [SQLIdentifier: Set<SQLIdentifier>] = [:]

  mutating func add(_ fault: MappingFault) {
    if !faults.contains(fault) { faults.append(fault) }
  }

  mutating func add(_ dependency: CopyDependency) {
    if !dependencies.contains(dependency) { dependencies.append(dependency) }
  }

  mutating func obstruct(_ reason: String) { onlineObstacle = onlineObstacle ?? reason }

  mutating func add(_ other: CopyNotes) {
    for fault in other.faults { add(fault) }
    for dependency in other.dependencies { add(dependency) }
    if let obstacle = other.onlineObstacle { obstruct(obstacle) }
    watched.merge(other.watched) { $0.union($1) }
    carried.merge(other.carried) { $0.union($1) }
  }

  // MARK: - Reads

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

  /// Records the columns that decide which rows take part.
  mutating func watchDecisions(of rows: MappedRows) {
    watch(rows.decidingColumns.union([rows.key]), of: rows.table)
  }

  /// Notes tables that people's SQL reads.
  mutating func watchKeys(of tables: some Sequence<SQLIdentifier>, in source: ModelProjection) {
    for table in tables { watch([source.key(of: table)], of: table) }
  }

  /// Records that units depend on the destination of a path, and that all of it is read.
  ///
  /// - Parameters:
  ///   - path: The path.
  ///   - rows: The rows of the units.
  ///   - alias: The rows at which the path starts: those of the source, or those that `forEach`
  ///     iterates.
  mutating func depend(
    on path: RelationshipPath,
    of rows: MappedRows,
    from alias: SQLIdentifier = MappedRows.sourceAlias
  ) {
    let isEach = alias == MappedRows.eachAlias
    watch(path, from: isEach ? rows.each?.table ?? rows.table : rows.table)
    for read in path.sources {
      let changes = CopySource.changes(of: read.table)
      let condition = path.condition(that: read, has: "\(changes)", in: rows.schema)
      guard let units = isEach ? rows.units(whereEach: condition) : rows.units(where: condition)
      else { continue }
      add(CopyDependency(source: read.table, units: units))
    }
  }

  /// Records the columns that an expression over rows reads.
  mutating func add(
    _ expression: RowExpression,
    of rows: MappedRows,
    dependsOnPaths: Bool = true
  ) {
    watch(expression.ownReads.columns, of: rows.table)
    if let each = rows.each { watch(expression.reads["each"].columns, of: each.table) }
    for path in expression.ownReads.paths {
      if dependsOnPaths { depend(on: path, of: rows) } else { watch(path, from: rows.table) }
    }
    if rows.each != nil {
      for path in expression.reads["each"].paths {
        depend(on: path, of: rows, from: MappedRows.eachAlias)
      }
    }
    let mapping = "entity mapping \"\(rows.mapping.name)\""
    if expression.isOpaque { obstruct("\(mapping) has SQL in it") }
    if expression.isVolatile || expression.readsClock {
      obstruct("\(mapping) gives other values whenever it is carried out")
    }
  }

  /// Returns the sources that are read, given their tables.
  func sources(_ tables: [SQLIdentifier: Table]) -> [CopySource] {
    watched.keys.sorted().compactMap { name in
      guard let table = tables[name] else { return nil }
      let key = table.rowKey
      func columns(_ names: some Sequence<SQLIdentifier>) -> [CopySource.KeyColumn] {
        names.compactMap { table.column($0) }.map { .init(name: $0.name, type: $0.type) }
      }
      let carried = (carried[name] ?? []).subtracting(key)
      let watched = (watched[name] ?? []).union(key).union(carried)
      return CopySource(
        table: name,
        key: columns(key),
        carried: columns(carried.sorted()),
        watched: watched.sorted(),
        isWatchedWhole: table.columns.allSatisfy {
          $0.generation != nil || watched.contains($0.name)
        },
        isPartitioned: table.partitioning != nil
      )
    }
  }
}
