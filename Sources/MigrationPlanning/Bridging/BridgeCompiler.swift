internal import ModelMapping
internal import ObjectModel
internal import SQLSyntax

/// Finds out how the rows of each table can be written by releases on both versions of a step.
///
/// The values of the new version are those that the step gives to the rows that are there; those of the version
/// before follow from the mapping that leads back.
struct BridgeCompiler {
  /// The bridges.
  private(set) var bridges: [BridgeDraft] = []
  /// Why tables of the source have none, although releases notice the step.
  private(set) var obstacles: [SQLIdentifier: String] = [:]
  /// Why tables of the source cannot be served, although nothing but values that are computed is in the way.
  private(set) var conflicts: [SQLIdentifier: String] = [:]
  private let source: ModelProjection
  private let destination: ModelProjection
  private let match: SchemaMatch
  /// The columns of the destination whose links are kept in step by themselves.
  private let linkedColumns: Set<ColumnReference>

  /// Finds the bridges of a step.
  ///
  /// - Parameters:
  ///   - draft: The step.
  ///   - wayBack: The mapping from its destination to its source.
  init(_ draft: StepDraft, back wayBack: CompleteMapping) {
    source = draft.source.projection
    destination = draft.destination.projection
    let forth = draft.mapping
    linkedColumns = Set(
      draft.changes.linkBridges.map {
        ColumnReference(table: $0.current.table, column: $0.current.link)
      }
    )
    match = SchemaMatch(
      from: source,
      to: destination,
      by: forth.placement(from: source.model, to: destination.model)
    )
    let copied = destination.copiedTables(forth.copyScope)
    let returned = source.copiedTables(wayBack.copyScope)
    let candidates = match.keptTables.filter { old, new in
      guard case .root = destination.tableOrigins[new.name] else { return false }
      return copied.contains(new.name) || returned.contains(old.name) || changesValues(old, new)
    }
    for (old, new) in candidates {
      guard draft.planner.kinds[old.name]?.isOnOtherNodes != true, new.distribution == nil else {
        obstacles[old.name] = "Citus runs no triggers on other nodes"
        continue
      }
      do {
        let values = try values(of: new, from: old, by: forth, source, destination)
        let retained = draft.retained.filter { $0.table == old.name }.compactMap(\.column)
        let formerValues = try self.values(
          of: old,
          from: new,
          by: wayBack,
          destination,
          source,
          isWhole: false
        )
        guard let bridge = try bridge(old, new, values, formerValues, besides: retained) else {
          continue
        }
        if let key = Self.repeatedKey(of: new, by: bridge) {
          conflicts[old.name] = "rows would have the same values in key \"\(key)\""
        } else {
          bridges.append(bridge)
        }
      } catch {
        obstacles[old.name] = error.reason
      }
    }
  }

  /// Returns the key of a table that has a column with a computed value, which several rows may get.
  private static func repeatedKey(of table: Table, by bridge: BridgeDraft) -> SQLIdentifier? {
    let computed = Set(bridge.values.keys).union(bridge.fallbacks.keys)
    let index = table.indexes.first { $0.isUnique && !computed.isDisjoint(with: $0.readColumns) }
    let constraint = table.constraints.first {
      $0.hasIndex && !$0.isPrimaryKey && !computed.isDisjoint(with: $0.columns)
    }
    return index?.name ?? constraint?.name
  }

  // MARK: - Tables

  /// Returns whether rows of a table that stays get other values.
  private func changesValues(_ old: Table, _ new: Table) -> Bool {
    let columns = match.columns[old.name] ?? [:]
    let isRetyped = old.columns.contains { before in
      guard let after = columns[before.name].flatMap({ new.column($0) }) else { return false }
      return before.type != after.type || before.isNullable && !after.isNullable
        || givesDefault(before.name, old, after.name, new)
    }
    let known = Set(columns.values)
    let isGiven = new.columns.contains { column in
      guard !known.contains(column.name), column.generation == nil, column.defaultExpression == nil
      else { return false }
      return destination.givesValues(to: ColumnReference(table: new.name, column: column.name))
    }
    return isRetyped || isGiven || renamesEntities(old, new)
  }

  /// Returns whether rows of some entities have the default of an attribute in place of NULL from now on.
  ///
  /// Where several rows must not have the default, none gets it.
  private func givesDefault(
    _ before: SQLIdentifier,
    _ old: Table,
    _ after: SQLIdentifier,
    _ new: Table
  ) -> Bool {
    let former = source.leaf(in: ColumnReference(table: old.name, column: before))?.1
    let place = ColumnReference(table: new.name, column: after)
    return former?.isRequired == false && destination.requiredDefault(in: place) != nil
      && !new.keys.contains { $0.columns.contains(after) }
  }

  private func renamesEntities(_ old: Table, _ new: Table) -> Bool {
    guard new.column(StorageNames.discriminator) != nil else { return false }
    return match.rows[new.name]?.origins.contains {
      $0.source.name != $0.destination.name
    } ?? false
  }

  /// Returns the values of a table as a copy of it alone would have them.
  private func values(
    of table: Table,
    from former: Table,
    by mapping: CompleteMapping,
    _ source: ModelProjection,
    _ destination: ModelProjection,
    isWhole: Bool = true
  ) throws(FillObstacle) -> RowValues {
    let mapping = mapping.copying([table.name], from: source, to: destination) ?? mapping
    let compiled: CompiledCopy
    do {
      compiled = try CompiledCopy(
        CopyRequest(
          mapping: mapping,
          source: source,
          destination: destination,
          staging: .apart,
          mapSchema: "remodel_staging"
        )
      )
    } catch {
      throw FillObstacle(reason: "the mapping cannot be carried out")
    }
    guard let copied = compiled.tables.first(where: { $0.name == table.name }) else {
      throw FillObstacle(reason: "table \"\(table.name)\" does not keep the rows of one table")
    }
    return try RowValues(
      of: copied,
      from: former,
      compiled,
      isWhole: isWhole,
      mayReadOthers: true
    )
  }

  // MARK: - Columns

  private func bridge(
    _ old: Table,
    _ new: Table,
    _ values: RowValues,
    _ formerValues: RowValues,
    besides retained: [SQLIdentifier]
  ) throws(FillObstacle) -> BridgeDraft? {
    var columns = BridgedColumns(old, new, match.columns[old.name] ?? [:], values, formerValues)
    for after in new.columns where after.generation == nil {
      try add(after, to: &columns)
    }
    for before in old.columns where columns.names[before.name] == nil {
      guard before.generation == nil,
        case .attribute(_, let name, path: []) = source.columnOrigins[old.name]?[before.name],
        source.derivations[ColumnReference(table: old.name, column: before.name)] == nil
      else { continue }
      if try columns.readsRow(former: before) || formerValues.computes(name) {
        try columns.compute(former: before)
      } else if columns.values.values.contains(where: { $0.identifiers.contains(before.name) }) {
        throw FillObstacle(
          reason: "no mapping model leads back and says how attribute \"\(name)\" is computed from "
            + "those that take its place"
        )
      }
    }
    try columns.keepInputs(source.columnOrigins[old.name] ?? [:])
    return try columns.draft(besides: retained)
  }

  /// Adds what a column of the new version has that the version before knows otherwise.
  private func add(
    _ after: Column,
    to columns: inout BridgedColumns
  ) throws(FillObstacle) {
    let (old, new) = (columns.old, columns.new)
    let place = ColumnReference(table: new.name, column: after.name)
    guard destination.derivations[place] == nil else { return }
    let former = match.oldColumns[place].flatMap { old.column($0.column) }
    switch destination.columnOrigins[new.name]?[after.name] {
    case .discriminator:
      guard let former else { return try columns.compute(current: after) }
      if renamesEntities(old, new) { try columns.keep(former, as: after) }
    case .attribute(let entity, let name, let path):
      let words = "attribute \"\(name)\" of entity \"\(entity)\""
      guard let former else {
        let isGiven =
          after.defaultExpression == nil && !columns.currentValues.isPlain(after, from: nil)
        let isRead = try columns.readsRow(current: after)
        guard isGiven || isRead || columns.currentValues.computes(name) else { return }
        if !path.isEmpty { throw FillObstacle(reason: "\(words) is a composite") }
        return try columns.compute(current: after)
      }
      if former.type != after.type {
        if !path.isEmpty { throw FillObstacle(reason: "\(words) is a composite") }
        try columns.keep(former, as: after)
      } else if !columns.currentValues.isPlain(after, from: former) {
        try columns.addFallback(of: former, as: after, default: destination.fallback(in: place))
      }
    case .reference(let entity, let name):
      if linkedColumns.contains(place) { return }
      guard columns.currentValues.isPlain(after, from: former) else {
        throw FillObstacle(reason: "relationship \"\(name)\" of entity \"\(entity)\" is computed")
      }
    case .key, .position, .joinedDestination, .joinedSource, nil: break
    }
  }
}

extension ModelProjection {
  /// Returns whether rows that lack a value of a column get one that is no default of the column: that of an
  /// attribute which only some of the entities in the table have, or the name of the entity.
  fileprivate func givesValues(to place: ColumnReference) -> Bool {
    switch columnOrigins[place.table]?[place.column] {
    case .discriminator: true
    case .attribute: leaf(in: place)?.1.defaultValue != nil
    case .key, .reference, .position, .joinedDestination, .joinedSource, nil: false
    }
  }

  /// Returns the default of a required attribute.
  fileprivate func requiredDefault(in place: ColumnReference) -> AttributeValue? {
    leaf(in: place).flatMap { $1.isRequired ? $1.defaultValue : nil }
  }

  /// Returns the default of a required attribute, for the entities with the attribute.
  fileprivate func fallback(in place: ColumnReference) -> BridgeDraft.Fallback? {
    guard let (entity, _) = leaf(in: place), let value = requiredDefault(in: place),
      let column = schema.tables[place.table]?.column(place.column)
    else { return nil }
    let members = concreteFamily(of: entity)
    return BridgeDraft.Fallback(
      value: "\(value.assigned(to: column.type))",
      entities: membership(of: members, in: place.table) == nil ? nil : members
    )
  }
}
