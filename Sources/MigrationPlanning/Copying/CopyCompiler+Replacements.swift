internal import ModelMapping
internal import ObjectModel
internal import SQLSyntax

extension CopyCompiler {
  /// Finds the tables that others take the place of, when all is compiled.
  ///
  /// The heir of a table is the one that its rows come to with the keys that they had; the one of the
  /// same name, if there are several.
  ///
  /// - Parameter match: What stays as it is.
  /// - Returns: The replacements.
  func replacements(_ match: SchemaMatch) -> TableReplacements {
    var replacements = TableReplacements(schema: schema)
    var candidates = heirs.filter { match.tables[$0.old] == nil } + joinHeirs(match)
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
    return replacements
  }

  /// Returns whether every row of a table of the source becomes one of a table that is made, with the
  /// key that it had.
  func keepsAllRows(of old: SQLIdentifier, in new: SQLIdentifier) -> Bool {
    leavingEntities(of: old, in: new).isEmpty
  }

  /// Returns the entities of which some rows do not come to a table that is made, or come with other keys.
  private func leavingEntities(of old: SQLIdentifier, in new: SQLIdentifier) -> Set<String> {
    let kept = rows.values.filter { rows in
      rows.table == old && rows.map == nil && rows.each == nil && rows.mapping.condition == nil
        && destination.table(of: rows.target) == new && !rows.mapping.makesWrittenRows
    }
    let names = Set(kept.map(\.entity.name))
    return Set(
      source.model.entities.filter { entity in
        !entity.isAbstract && source.table(of: entity) == old && !names.contains(entity.name)
      }.map(\.name)
    )
  }

  /// Returns the tables of the source of which some rows do not come to the table that takes their place,
  /// with the entities that these are of.
  func leavingTables(_ replacements: TableReplacements) -> [SQLIdentifier: Set<String>] {
    func isMade(_ table: SQLIdentifier) -> Bool { plan.tables.contains { $0.name == table } }
    var leaving: [SQLIdentifier: Set<String>] = [:]
    for table in source.schema.tables.keys {
      guard case .root = source.tableOrigins[table] else { continue }
      let heirs = [replacements.tables[table]?.name, table].compactMap(\.self)
      guard let heir = heirs.first(where: isMade) else { continue }
      let entities = leavingEntities(of: table, in: heir)
      if !entities.isEmpty { leaving[table] = entities }
    }
    // Links go with the rows that they lead to.
    for table in source.schema.tables.values where isMade(table.name) {
      guard case .join = source.tableOrigins[table.name] else { continue }
      let targets = table.columns.reduce(into: Set<String>()) { targets, column in
        targets.formUnion(
          source.targetEntities(of: ColumnReference(table: table.name, column: column.name))
        )
      }
      let gone = targets.intersection(leaving.values.joined())
      if !gone.isEmpty { leaving[table.name] = gone }
    }
    return leaving
  }

  private typealias Heir = (
    old: SQLIdentifier, new: SQLIdentifier, columns: [SQLIdentifier: SQLIdentifier]
  )

  /// The tables of root entities whose rows have the keys of others.
  private var heirs: [Heir] {
    mapping.mappingModel.entityMappings.compactMap { entity in
      guard let rows = rows[entity.name], keepsKeys(rows),
        let new = destination.table(of: rows.target),
        plan.tables.contains(where: { $0.name == new })
      else { return nil }
      let columns = rows.each == nil ? columnNames(of: rows, in: new) : [:]
      return (rows.drivingTable, new, columns)
    }
  }

  /// The columns whose values come along under other names.
  private func columnNames(
    of rows: MappedRows,
    in table: SQLIdentifier
  ) -> [SQLIdentifier: SQLIdentifier] {
    let pairing = rows.pairing(source.model, destination.model)
    let origin = ModelPairing.RowOrigin(source: rows.entity, destination: rows.target)
    var names: [SQLIdentifier: SQLIdentifier] = [:]
    for (column, place) in (destination.columnOrigins[table] ?? [:]).sorted(by: { $0.key < $1.key })
    {
      guard case .attribute(_, let name, let path) = place,
        case .sourceAttribute = rows.mapping(of: name)?.valueExpression,
        let part = pairing.sourcePart(PropertyPath(name, elements: path), of: origin),
        let before = source.columns[
          .attribute(
            entity: part.declaringEntity.name,
            part.path.property,
            path: part.path.elements
          )
        ],
        before.table == rows.table, before.column != column, names[before.column] == nil
      else { continue }
      names[before.column] = column
    }
    return names
  }

  /// The join tables whose links come from one other.
  private func joinHeirs(_ match: SchemaMatch) -> [Heir] {
    scope.joins.compactMap { join -> Heir? in
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
