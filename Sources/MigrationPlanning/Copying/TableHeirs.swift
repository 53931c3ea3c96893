internal import ModelMapping
internal import ObjectModel
internal import SQLSyntax

/// The copied tables that take the place of others, and the rows that they do not get.
struct TableHeirs {
  /// The tables that others take the place of.
  private(set) var replacements: TableReplacements
  /// The tables of the source whose heir does not get all of their rows, with the entities that the
  /// others are of.
  private(set) var leaving: [SQLIdentifier: Set<String>] = [:]

  private let mapped: MappedSource
  private let copied: Set<SQLIdentifier>
  private var source: ModelProjection { mapped.request.source }
  private var destination: ModelProjection { mapped.request.destination }

  /// Finds the tables.
  ///
  /// The heir of a table gets its rows with their old keys; among several, it is the one of the
  /// same name.
  ///
  /// - Parameters:
  ///   - copy: The copy.
  ///   - match: The matched tables.
  init(of copy: CompiledCopy, _ match: SchemaMatch) {
    mapped = copy.mapped
    copied = Set(copy.tables.map(\.name))
    replacements = TableReplacements(schema: mapped.request.schema)
    addReplacements(match)
    addLeavingRows()
  }

  private mutating func addReplacements(_ match: SchemaMatch) {
    var candidates = rootHeirs.filter { match.tables[$0.old] == nil } + joinHeirs(match)
    candidates = candidates.filter { $0.old == $0.new } + candidates.filter { $0.old != $0.new }
    var inherited: Set<SQLIdentifier> = []
    for heir in candidates where replacements.tables[heir.old] == nil {
      guard let old = source.schema.tables[heir.old],
        let new = destination.schema.tables[heir.new], inherited.insert(heir.new).inserted
      else { continue }
      replacements.tables[heir.old] = TableReplacements.Replacement(
        of: old,
        by: new,
        renaming: heir.columns
      )
    }
  }

  private mutating func addLeavingRows() {
    for table in source.schema.tables.keys {
      guard case .root = source.tableOrigins[table] else { continue }
      let heirs = [replacements.tables[table]?.name, table].compactMap(\.self)
      guard let heir = heirs.first(where: copied.contains) else { continue }
      let entities = mapped.leavingEntities(of: table, in: heir)
      if !entities.isEmpty { leaving[table] = entities }
    }
    // Links leave with the rows that they lead to.
    for table in source.schema.tables.values where copied.contains(table.name) {
      guard case .join = source.tableOrigins[table.name] else { continue }
      let targets = table.columns.reduce(into: Set<String>()) { targets, column in
        targets.formUnion(
          source.targetEntities(of: ColumnReference(table: table.name, column: column.name))
        )
      }
      let gone = targets.intersection(leaving.values.joined())
      if !gone.isEmpty { leaving[table.name] = gone }
    }
  }

  private typealias Heir = (
    old: SQLIdentifier, new: SQLIdentifier, columns: [SQLIdentifier: SQLIdentifier]
  )

  /// The tables of root entities whose rows have the keys of others.
  private var rootHeirs: [Heir] {
    mapped.rows.filter { mapped.keepsKeys($0) && copied.contains($0.targetTable) }.map { rows in
      (rows.drivingTable, rows.targetTable, rows.each == nil ? columnNames(of: rows) : [:])
    }
  }

  /// Returns the columns whose values are copied under other names.
  private func columnNames(of rows: MappedRows) -> [SQLIdentifier: SQLIdentifier] {
    let pairing = rows.pairing(source.model, destination.model)
    let origin = ModelPairing.RowOrigin(source: rows.entity, destination: rows.target)
    let places = destination.columnOrigins[rows.targetTable] ?? [:]
    var names: [SQLIdentifier: SQLIdentifier] = [:]
    for (column, place) in places.sorted(by: { $0.key < $1.key }) {
      guard case .attribute(_, let name, let path) = place,
        case .sourceAttribute = rows.valueExpression(of: name),
        let before = source.place(
          of: pairing.sourcePart(PropertyPath(name, elements: path), of: origin)
        ),
        before.table == rows.table, before.column != column, names[before.column] == nil
      else { continue }
      names[before.column] = column
    }
    return names
  }

  /// Returns the join tables whose links come from one other.
  private func joinHeirs(_ match: SchemaMatch) -> [Heir] {
    mapped.request.scope.joins.compactMap { join -> Heir? in
      guard let entity = destination.model.entity(named: join.entityName),
        let relationship = entity.relationships.first(where: { $0.name == join.relationshipName }),
        let new = destination.linkPlace(of: relationship, declaredBy: entity),
        let old = match.pairing.linkOrigins(of: relationship, declaredBy: entity)
          .compactMap(match.sourcePlace).first,
        case .join = source.tableOrigins[old.table], match.tables[old.table] == nil
      else { return nil }
      let pairs = [
        (old.owner, new.owner), (old.target, new.target),
        (old.ownerPosition, new.ownerPosition), (old.targetPosition, new.targetPosition),
      ]
      var columns: [SQLIdentifier: SQLIdentifier] = [:]
      for case (let before?, let after?) in pairs as [(SQLIdentifier?, SQLIdentifier?)] {
        columns[before] = after
      }
      return (old.table, new.table, columns)
    }.sorted { $0.new < $1.new }
  }
}
