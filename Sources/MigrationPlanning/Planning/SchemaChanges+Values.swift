internal import ModelMapping
internal import ObjectModel
internal import SQLSyntax

extension SchemaChanges {
  /// A column that stays gets values from elsewhere, or a constant in place of nulls, in the rows of
  /// some entities.
  mutating func fillKeptColumns(of new: Table, _ kept: Set<SQLIdentifier>) {
    var moves = ValueMoves()
    for column in new.columns where kept.contains(column.name) && !isComputed(column, in: new.name)
    {
      let reference = ColumnReference(table: new.name, column: column.name)
      let old = match.oldColumns[reference]
      for source in match.columnSources[reference] ?? [] where source.column != old {
        guard let value = value(of: source, for: column, of: new.name) else { continue }
        moves.add(column.name, value, source.row.destination.name)
      }
      fillNulls(of: column, in: new)
    }
    append(moves, of: new.name)
  }

  /// Returns the foreign keys that come with their columns.
  mutating func addColumns(of new: Table, _ kept: Set<SQLIdentifier>) -> Set<Constraint> {
    var references: Set<Constraint> = []
    var moves = ValueMoves()
    for column in new.columns where !kept.contains(column.name) {
      let sources = sources(of: column.name, in: new.name)
      let values = sources.map { value(of: $0, for: column, of: new.name) }
      if addDerived(column, to: new) {
        if isStamp(column, in: new.name) { moves.add(column.name, values, sources) }
        continue
      }
      let isMoved =
        sources.contains { $0.column != nil }
        || linkedColumns[new.name]?.contains(column.name) ?? false
      if !isMoved, Set(values).count <= 1, isOfAllRows(sources, in: new.name) {
        let value =
          soleEntity(for: column, of: new.name) ?? values.first ?? column.defaultExpression
        let constraint = add(column, filledWith: value, to: new)
        if let constraint { references.insert(constraint) }
        continue
      }
      let isSpare = addForLater(column, to: new)
      // What rows have no value for elsewhere is what is retained of them.
      let moved = zip(sources, values).filter { !isSpare || $0.0.column != nil }
      moves.add(column.name, moved.map(\.1), moved.map(\.0))
    }
    append(moves, of: new.name)
    return references
  }

  /// Adds a column of which all rows get one constant, which the server keeps in the catalog.
  private mutating func add(
    _ column: Column,
    filledWith value: SQLFragment?,
    to table: Table
  ) -> Constraint? {
    let reference = table.constraints.first {
      $0.referencedTable != nil && $0.columns == [column.name]
    }
    var added = column
    added.defaultExpression = value
    operations.append(
      .addColumn(AddColumn(table: table.name, column: added, reference: reference))
    )
    if value != column.defaultExpression {
      operations.append(
        .setDefault(
          SetDefault(
            table: table.name,
            column: column.name,
            expression: column.defaultExpression,
            newColumnType: column.type
          )
        )
      )
    }
    return reference
  }

  /// Adds a column that gets its values afterwards, and only then what binds it.
  /// - Returns: Whether it is what is retained of the column.
  private mutating func addForLater(_ column: Column, to table: Table) -> Bool {
    var bare = column
    bare.notNullConstraint = nil
    bare.defaultExpression = nil
    let spare = spare(for: column, of: table.name)
    operations.append(
      .addColumn(AddColumn(table: table.name, column: bare, retainedName: spare?.column))
    )
    if let spare { retained.reuse(spare) }
    if let expression = column.defaultExpression {
      operations.append(
        .setDefault(SetDefault(table: table.name, column: column.name, expression: expression))
      )
    }
    if let requirement = requirement(of: column, in: table) { operations.append(requirement) }
    return spare != nil
  }

  /// Returns what is retained of an attribute of the version that is led to, whose values are older than
  /// those that come from elsewhere.
  private func spare(for column: Column, of table: SQLIdentifier) -> RetainedObject? {
    guard case .attribute = origin(of: column.name, in: table), column.generation == nil,
      column.sequence == nil
    else { return nil }
    return retained.objects(among: planner.spares).last { object in
      guard object.column != nil, object.table == table, object.version == destination.name,
        object.relationNames.isEmpty,
        let origin = object.origin, origin.table == table.name, let former = origin.columns.first
      else { return false }
      return former.name == column.name.name && former.type == column.type.text
    }
  }

  // MARK: - Values

  /// Where a table had rows of one entity only, that is what all its rows are.
  private func soleEntity(for column: Column, of table: SQLIdentifier) -> SQLFragment? {
    guard case .discriminator = origin(of: column.name, in: table) else { return nil }
    return match.rows[table]?.origins.first.map { "\(SQLLiteral.text($0.destination.name))" }
  }

  private func sources(
    of column: SQLIdentifier,
    in table: SQLIdentifier
  ) -> [SchemaMatch.ColumnSource] {
    let reference = ColumnReference(table: table, column: column)
    if let sources = match.columnSources[reference] { return sources }
    guard case .attribute(let name, _, _) = origin(of: column, in: table),
      let entity = destination.projection.model.entity(named: name)
    else { return [] }
    let family = Set(destination.projection.model.family(of: entity).map(\.name))
    return (match.rows[table]?.origins ?? [])
      .filter { family.contains($0.destination.name) }
      .map { SchemaMatch.ColumnSource(row: $0, column: nil) }
  }

  private func origin(of column: SQLIdentifier, in table: SQLIdentifier) -> ColumnOrigin? {
    destination.projection.columnOrigins[table]?[column]
  }

  private func isOfAllRows(
    _ sources: [SchemaMatch.ColumnSource],
    in table: SQLIdentifier
  ) -> Bool {
    sources.isEmpty || sources.count == match.rows[table]?.origins.count
  }

  /// Returns the value that the rows of an entity get; none where they get none.
  func value(
    of source: SchemaMatch.ColumnSource,
    for column: Column,
    of table: SQLIdentifier
  ) -> SQLFragment? {
    let fallback = fallback(for: column, of: table, source.row)
    guard let old = source.column, let before = sourceSchema.tables[old.table]?.column(old.column)
    else { return fallback ?? writtenDefault(of: column, in: table) }
    let value = ChangeColumnType.conversion(
      of: currentName(of: old),
      from: before.type,
      to: column.type
    )
    return fallback.map { "coalesce(\(value), \($0))" } ?? value
  }

  /// Returns the default of a new column that states one in SQL.
  private func writtenDefault(of column: Column, in table: SQLIdentifier) -> SQLFragment? {
    guard case .attribute(let entity, let name, _) = origin(of: column.name, in: table),
      let attribute = destination.projection.model.entity(named: entity)?.attributes
        .first(where: { $0.name == name }),
      attribute.defaultExpression != nil
    else { return nil }
    return column.defaultExpression
  }

  private func fallback(
    for column: Column,
    of table: SQLIdentifier,
    _ row: ModelPairing.RowOrigin
  ) -> SQLFragment? {
    // What somebody might have written is no derived value.
    guard !isDerived(column, in: table),
      case .attribute(_, let name, let path) = origin(of: column.name, in: table)
    else { return nil }
    let fallback = match.pairing.fallback(
      of: PropertyPath(name, elements: path),
      of: row.destination.name
    )
    return fallback.map { "\($0.literal(of: column.type))" }
  }

  /// Puts the fallback where a column that stays has no value.
  private mutating func fillNulls(of column: Column, in table: Table) {
    let reference = ColumnReference(table: table.name, column: column.name)
    guard let old = match.oldColumns[reference],
      case .attribute(let entityName, _, _) = origin(of: column.name, in: table.name),
      let entity = destination.projection.model.entity(named: entityName)
    else { return }
    let family = Set(destination.projection.model.family(of: entity).map(\.name))
    let moved = (match.columnSources[reference] ?? []).filter { $0.column != old }
      .map(\.row.destination.name)
    var groups: [SQLFragment: [String]] = [:]
    for row in match.rows[table.name]?.origins ?? []
    where family.contains(row.destination.name) && !moved.contains(row.destination.name) {
      guard let value = fallback(for: column, of: table.name, row) else { continue }
      groups[value, default: []].append(row.destination.name)
    }
    for (value, names) in groups.sorted(by: { $0.key.text < $1.key.text }) {
      let isNull: SQLFragment = "\(column.name) IS NULL"
      let membership = membership(of: names, in: table.name)
      append(
        UpdateRows(
          table: table.name,
          purpose: .fillNulls,
          assignments: [.init(column: column.name, value: value)],
          condition: membership.map { "\($0) AND \(isNull)" } ?? isNull
        )
      )
    }
  }

  /// Returns the condition that a row is of one of some entities, under their new names.
  func membership(of names: [String], in table: SQLIdentifier) -> SQLFragment? {
    destination.projection.membership(of: names, in: table)
  }

  mutating func append(_ update: UpdateRows) {
    busyTables.insert(update.table)
    operations.append(.updateRows(update))
  }

  private mutating func append(_ moves: ValueMoves, of table: SQLIdentifier) {
    for (assignments, names) in moves.statements {
      append(
        UpdateRows(
          table: table,
          purpose: .moveValues,
          assignments: assignments,
          condition: membership(of: names, in: table)
        )
      )
    }
  }
}

/// Values that rows of a table get from elsewhere, put together to as few statements as can be.
private struct ValueMoves {
  private var moves: [(assignment: UpdateRows.Assignment, names: [String])] = []

  mutating func add(_ column: SQLIdentifier, _ value: SQLFragment, _ entityName: String) {
    let assignment = UpdateRows.Assignment(column: column, value: value)
    if let position = moves.firstIndex(where: { $0.assignment == assignment }) {
      moves[position].names.append(entityName)
    } else {
      moves.append((assignment, [entityName]))
    }
  }

  /// Adds the values that the rows of several entities get, those that get any.
  mutating func add(
    _ column: SQLIdentifier,
    _ values: [SQLFragment?],
    _ sources: [SchemaMatch.ColumnSource]
  ) {
    for (source, value) in zip(sources, values) {
      guard let value else { continue }
      add(column, value, source.row.destination.name)
    }
  }

  /// The assignments that the rows of the same entities get.
  var statements: [(assignments: [UpdateRows.Assignment], names: [String])] {
    var statements: [(assignments: [UpdateRows.Assignment], names: [String])] = []
    for move in moves {
      if let position = statements.firstIndex(where: { $0.names == move.names }) {
        statements[position].assignments.append(move.assignment)
      } else {
        statements.append(([move.assignment], move.names))
      }
    }
    return statements
  }
}
