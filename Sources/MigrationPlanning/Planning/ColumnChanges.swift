internal import ModelMapping
internal import ObjectModel
internal import SQLSyntax

/// The changes of a table's columns: changed ones, new ones, and the origins of their values.
struct ColumnChanges {
  private(set) var operations: [MigrationOperation] = []
  /// The columns that change in more than their names.
  let changed: ChangedColumns
  /// The foreign keys that come with their columns.
  private(set) var references: Set<Constraint> = []

  private let context: StepContext
  private let destination: ModelProjection
  private let match: SchemaMatch
  private let values: ColumnValues
  /// The columns that links come to which were elsewhere before.
  private let linkedColumns: Set<SQLIdentifier>

  /// Changes the columns of a table.
  ///
  /// - Parameters:
  ///   - context: The context of all passes.
  ///   - old: The old table, with its names afterwards.
  ///   - new: The table.
  ///   - kept: The remaining columns.
  ///   - linkedColumns: The columns that get links from elsewhere.
  ///   - retained: The retained objects, some of which may be put back.
  init(
    _ context: StepContext,
    from old: Table,
    to new: Table,
    _ kept: Set<SQLIdentifier>,
    linkedColumns: Set<SQLIdentifier>,
    _ retained: inout RetainedNames
  ) {
    self.context = context
    match = context.match
    destination = match.destination
    values = ColumnValues(context, areTyped: false)
    self.linkedColumns = linkedColumns
    changed = ChangedColumns(from: old, to: new, kept, context.planner.replacedColumns)
    changeColumns(old, into: new, kept)
    addColumns(of: new, kept, &retained)
    fillKeptColumns(of: new, kept)
  }

  // MARK: - Changed columns

  private mutating func changeColumns(
    _ old: Table,
    into new: Table,
    _ kept: Set<SQLIdentifier>
  ) {
    for after in new.columns where kept.contains(after.name) {
      guard let before = old.column(after.name) else { continue }
      if changed.recomputed.contains(after.name) {
        operations.append(
          .dropColumn(
            DropColumn(
              table: new.name,
              column: before.name,
              readColumns: before.readColumns,
              isReplaced: true
            )
          )
        )
        operations.append(.addColumn(AddColumn(table: new.name, column: after)))
        continue
      }
      if before.generation != nil, after.generation == nil {
        operations.append(
          .dropExpression(
            DropExpression(
              table: new.name,
              column: before.name,
              readColumns: before.readColumns
            )
          )
        )
      }
      if before.type != after.type {
        operations.append(
          .changeColumnType(
            ChangeColumnType(
              table: new.name,
              column: after.name,
              before: before.type,
              after: after.type,
              defaultBefore: before.defaultExpression,
              defaultAfter: after.defaultExpression,
              isIndexed: old.hasIndex(of: after.name)
            )
          )
        )
      } else if before.defaultExpression != after.defaultExpression {
        operations.append(
          .setDefault(
            SetDefault(table: new.name, column: after.name, expression: after.defaultExpression)
          )
        )
      }
      changeNullability(before, into: after, of: new)
      if let name = before.identitySequence, let newName = after.identitySequence, name != newName {
        operations.append(
          .rename(
            RenameObject(
              kind: .sequence(of: new.name, column: after.name),
              name: name,
              newName: newName
            )
          )
        )
      }
    }
  }

  private mutating func changeNullability(_ before: Column, into after: Column, of table: Table) {
    let place = ColumnReference(table: table.name, column: after.name)
    let found = match.oldColumns[place].flatMap { context.planner.foundNotNull[$0] }
    switch (before.notNullConstraint, after.notNullConstraint) {
    case (nil, _?):
      if let requirement = context.requirement(of: after, in: table, by: found) {
        operations.append(requirement)
      }
    case (let constraint?, nil):
      operations.append(
        .dropNotNull(
          DropNotNull(table: table.name, column: after.name, constraint: constraint)
        )
      )
    case (let name?, let newName?) where name != newName:
      let name = found?.name ?? name
      operations.append(
        .rename(
          RenameObject(
            kind: .notNull(
              of: table.name,
              column: after.name,
              isNamed: context.planner.serverMajor >= 18 && name != newName
            ),
            name: name,
            newName: newName
          )
        )
      )
    case (nil, nil), (_?, _?):
      break
    }
  }

  /// Adds a column whose values are computed; returns whether it is one.
  private mutating func addDerived(_ column: Column, to table: Table) -> Bool {
    guard destination.isDerived(column, in: table.name) else { return false }
    var nullable = column
    if column.generation == nil { nullable.notNullConstraint = nil }
    operations.append(.addColumn(AddColumn(table: table.name, column: nullable)))
    if column.generation == nil, let requirement = context.requirement(of: column, in: table) {
      operations.append(requirement)
    }
    return true
  }

  // MARK: - New columns

  private mutating func addColumns(
    of new: Table,
    _ kept: Set<SQLIdentifier>,
    _ retained: inout RetainedNames
  ) {
    var moves = ValueMoves()
    for column in new.columns where !kept.contains(column.name) {
      let sources = sources(of: column.name, in: new.name)
      let values = sources.map { self.values.value(of: $0, for: column, of: new.name) }
      if addDerived(column, to: new) {
        if destination.isStamp(column, in: new.name) { moves.add(column.name, values, sources) }
        continue
      }
      let isMoved =
        sources.contains { $0.column != nil }
        || linkedColumns.contains(column.name)
      if !isMoved, Set(values).count <= 1, isOfAllRows(sources, in: new.name) {
        let value =
          soleEntity(for: column, of: new.name) ?? values.first ?? column.defaultExpression
        let constraint = add(column, filledWith: value, to: new)
        if let constraint { references.insert(constraint) }
        continue
      }
      let isSpare = addForLater(column, to: new, &retained)
      // Retained values are used for rows without a value elsewhere.
      let moved = zip(sources, values).filter { !isSpare || $0.0.column != nil }
      moves.add(column.name, moved.map(\.1), moved.map(\.0))
    }
    append(moves, of: new.name)
  }

  /// Adds a column of which all rows get one constant, which the server keeps in the catalog.
  private mutating func add(
    _ column: Column,
    filledWith value: SQLFragment?,
    to table: Table
  ) -> Constraint? {
    // Citus adds a constraint by a statement of its own.
    let reference =
      context.planner.kinds.haveTablesOfCitus(in: match.destination.schema)
      ? nil
      : table.constraints.first { $0.referencedTable != nil && $0.columns == [column.name] }
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

  /// Adds a column that gets its values afterwards, and then its constraints.
  ///
  /// - Returns: Whether it is the retained column.
  private mutating func addForLater(
    _ column: Column,
    to table: Table,
    _ retained: inout RetainedNames
  ) -> Bool {
    var bare = column
    bare.notNullConstraint = nil
    bare.defaultExpression = nil
    let spare = spare(for: column, of: table.name, retained)
    operations.append(
      .addColumn(AddColumn(table: table.name, column: bare, retainedName: spare?.column))
    )
    if let spare { retained.reuse(spare) }
    if let expression = column.defaultExpression {
      operations.append(
        .setDefault(SetDefault(table: table.name, column: column.name, expression: expression))
      )
    }
    if let requirement = context.requirement(of: column, in: table) {
      operations.append(requirement)
    }
    return spare != nil
  }

  /// Returns the retained column of an attribute of the destination, whose values are older than
  /// those of other origins.
  private func spare(
    for column: Column,
    of table: SQLIdentifier,
    _ retained: RetainedNames
  ) -> RetainedObject? {
    guard case .attribute = destination.columnOrigins[table]?[column.name],
      column.generation == nil,
      column.sequence == nil
    else { return nil }
    return retained.objects(among: context.planner.spares).last { object in
      guard object.column != nil, object.table == table, object.version == context.versionName,
        object.relationNames.isEmpty,
        let origin = object.origin, origin.table == table.name, let former = origin.columns.first
      else { return false }
      return former.name == column.name.name && former.type == column.type.text
    }
  }

  // MARK: - Values

  /// If a table had rows of one entity only, all its rows are of this one.
  private func soleEntity(for column: Column, of table: SQLIdentifier) -> SQLFragment? {
    guard case .discriminator = destination.columnOrigins[table]?[column.name] else { return nil }
    return match.rows[table]?.origins.first.map { "\(SQLLiteral.text($0.destination.name))" }
  }

  private func sources(
    of column: SQLIdentifier,
    in table: SQLIdentifier
  ) -> [SchemaMatch.ColumnSource] {
    let reference = ColumnReference(table: table, column: column)
    if let sources = match.columnSources[reference] { return sources }
    guard case .attribute(let name, _, _) = destination.columnOrigins[table]?[column],
      let entity = destination.model.entity(named: name)
    else { return [] }
    let family = Set(destination.model.family(of: entity).map(\.name))
    return (match.rows[table]?.origins ?? [])
      .filter { family.contains($0.destination.name) }
      .map { SchemaMatch.ColumnSource(row: $0, column: nil) }
  }

  private func isOfAllRows(
    _ sources: [SchemaMatch.ColumnSource],
    in table: SQLIdentifier
  ) -> Bool {
    sources.isEmpty || sources.count == match.rows[table]?.origins.count
  }

  /// Puts the fallback where a column that stays has no value.
  private mutating func fillNulls(of column: Column, in table: Table) {
    let reference = ColumnReference(table: table.name, column: column.name)
    guard let old = match.oldColumns[reference],
      case .attribute(let entityName, _, _) = destination.columnOrigins[table.name]?[column.name],
      let entity = destination.model.entity(named: entityName)
    else { return }
    let family = Set(destination.model.family(of: entity).map(\.name))
    let moved = (match.columnSources[reference] ?? []).filter { $0.column != old }
      .map(\.row.destination.name)
    var groups: [SQLFragment: [String]] = [:]
    for row in match.rows[table.name]?.origins ?? []
    where family.contains(row.destination.name) && !moved.contains(row.destination.name) {
      guard let value = values.fallback(for: column, of: table.name, row) else { continue }
      groups[value, default: []].append(row.destination.name)
    }
    for (value, names) in groups.sorted(by: { $0.key.text < $1.key.text }) {
      let isNull: SQLFragment = "\(column.name) IS NULL"
      let membership = destination.membership(of: names, in: table.name)
      operations.append(
        .updateRows(
          UpdateRows(
            table: table.name,
            purpose: .fillNulls,
            assignments: [.init(column: column.name, value: value)],
            condition: membership.map { "\($0) AND \(isNull)" } ?? isNull
          )
        )
      )
    }
  }

  private mutating func append(_ moves: ValueMoves, of table: SQLIdentifier) {
    for (assignments, names) in moves.statements {
      operations.append(
        .updateRows(
          UpdateRows(
            table: table,
            purpose: .moveValues,
            assignments: assignments,
            condition: destination.membership(of: names, in: table)
          )
        )
      )
    }
  }

  // MARK: - Kept columns

  /// A column that stays gets values from elsewhere, or a constant in place of nulls, in the rows of
  /// some entities.
  private mutating func fillKeptColumns(of new: Table, _ kept: Set<SQLIdentifier>) {
    var moves = ValueMoves()
    for column in new.columns
    where kept.contains(column.name) && !destination.isComputed(column, in: new.name) {
      let reference = ColumnReference(table: new.name, column: column.name)
      // They have all their values before.
      if context.planner.replacedColumns.contains(reference) { continue }
      let old = match.oldColumns[reference]
      for source in match.columnSources[reference] ?? [] where source.column != old {
        guard let value = values.value(of: source, for: column, of: new.name) else { continue }
        moves.add(column.name, value, source.row.destination.name)
      }
      fillNulls(of: column, in: new)
    }
    append(moves, of: new.name)
  }
}

/// The columns of a table that change in more than their names; the names are the new ones.
struct ChangedColumns {
  /// Those whose values are converted.
  let retyped: Set<SQLIdentifier>
  /// Those that others replace under their names.
  private let replaced: Set<SQLIdentifier>
  /// The columns that are dropped and added again, because the server computes their values again.
  private(set) var recomputed: Set<SQLIdentifier> = []

  init(
    from old: Table,
    to new: Table,
    _ kept: Set<SQLIdentifier>,
    _ replaced: Set<ColumnReference>
  ) {
    self.replaced = Set(replaced.filter { $0.table == new.name }.map(\.column))
    let pairs = new.columns.filter { kept.contains($0.name) }.compactMap { after in
      old.column(after.name).map { (before: $0, after: after) }
    }
    let retyped = Set(pairs.filter { $0.before.type != $0.after.type }.map(\.after.name))
    for (before, after) in pairs where after.generation != nil {
      let isSame = before.generation == after.generation && before.type == after.type
      guard !isSame || !retyped.isDisjoint(with: after.readColumns) else { continue }
      recomputed.insert(after.name)
    }
    self.retyped = retyped.subtracting(recomputed)
  }

  /// Returns whether a constraint is dropped with a column, or uses its old type.
  func rewrites(_ constraint: Constraint) -> Bool {
    switch constraint.definition {
    case .check:
      !retyped.union(recomputed).union(replaced).isDisjoint(with: constraint.columns)
    case .primaryKey, .unique, .exclusion, .foreignKey:
      !recomputed.isDisjoint(with: constraint.columns)
    }
  }

  /// Returns whether an index is dropped with a column, or uses its old type.
  func rewrites(_ index: Index) -> Bool {
    !recomputed.isDisjoint(with: index.readColumns)
      || (index.hasExpressions && !retyped.isDisjoint(with: index.readColumns))
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
