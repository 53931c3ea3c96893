internal import ModelMapping
internal import ObjectModel
internal import SQLSyntax

/// The conditions of a step on existing rows, by which some of its operations may fail.
///
/// Only operations with a precondition can fail, and authored SQL, which has none.
struct RowRisks {
  private let changes: SchemaChanges
  private let comparison: ReleaseComparison
  /// The columns of the source that preconditions check.
  private var askedColumns: Set<StatementPlace.Location> = []
  /// The columns of the source whose values may be too long for an index.
  private let indexedColumns: Set<ColumnReference>
  /// The columns of the destination that need values.
  private var requiredColumns: Set<StatementPlace.Location> = []
  /// The tables of the source some of whose rows may not move to the new tables.
  private let leavingTables: [SQLIdentifier: Set<String>]

  var destination: ModelProjection { changes.match.destination }

  init(
    of changes: SchemaChanges,
    asking questions: [PlannedPrecondition],
    indexing indexQuestions: [PlannedPrecondition],
    _ comparison: ReleaseComparison,
    leaving leavingTables: [SQLIdentifier: Set<String>]
  ) {
    self.changes = changes
    self.comparison = comparison
    self.leavingTables = leavingTables
    indexedColumns = indexQuestions.reduce(into: []) { $0.formUnion($1.columns) }
    let source = changes.match.source
    for question in questions {
      askedColumns.formUnion(
        question.columns.map { StatementPlace.Location(table: $0.table, column: $0.column) }
      )
      guard question.columns.isEmpty,
        let property = question.propertyName.map({ $0.prefix { $0 != "." } })
      else { continue }
      let name = question.entityName
      askedColumns.formUnion(source.locations(of: String(property), of: name))
      let names = [changes.match.pairing.destinationEntity(of: name)?.name, name]
      for name in Set(names.compactMap(\.self)) {
        requiredColumns.formUnion(
          changes.match.destination.locations(of: String(property), of: name)
        )
      }
    }
  }

  /// Returns whether the rows may not allow an operation.
  func mayFail(_ operation: any SchemaOperation, _ places: [StatementPlace]) -> Bool {
    operation.impact.hazards.contains(.failsOnData) && operation.mayFail(self, at: places)
  }

  /// Returns whether the rows may violate deferred work.
  func mayFail(_ work: DeferredWork) -> Bool {
    let places = work.places.map { place in
      var place = place
      place.before = place.after.flatMap(formerLocation)
      return place
    }
    switch work {
    case .validateConstraint(let validation):
      return mayFail(validation.constraint, validation.table, places)
    case .buildIndex(let build): return mayFail(build.index, build.table, places)
    case .addUniqueConstraint(let build): return mayFail(build.constraint, build.table, places)
    case .setNotNull: return isAsked(places)
    case .dropIndex: return false
    }
  }

  private func formerLocation(_ location: StatementPlace.Location) -> StatementPlace.Location? {
    guard let column = location.column else { return nil }
    return changes.match.oldColumns[ColumnReference(table: location.table, column: column)]
      .map { StatementPlace.Location(table: $0.table, column: $0.column) }
  }

  /// Returns whether preconditions check any of some places.
  func isAsked(_ places: [StatementPlace]) -> Bool {
    places.contains { place in
      place.before.map(askedColumns.contains) ?? false
        || place.after.map(requiredColumns.contains) ?? false
        || place.after.map(isMovedFromAsked) ?? false
    }
  }

  /// Returns whether a column gets values from other, checked columns.
  private func isMovedFromAsked(_ location: StatementPlace.Location) -> Bool {
    guard let column = location.column else { return false }
    let sources =
      changes.match.columnSources[ColumnReference(table: location.table, column: column)] ?? []
    return sources.compactMap(\.column).contains {
      askedColumns.contains(StatementPlace.Location(table: $0.table, column: $0.column))
    }
  }

  // MARK: - Objects

  func mayFail(
    _ constraint: Constraint,
    _ table: SQLIdentifier,
    _ places: [StatementPlace]
  ) -> Bool {
    switch constraint.definition {
    case .primaryKey(let columns), .unique(let columns):
      return isAsked(places) || mayBeTooLong(columns, table)
    case .exclusion: return true
    case .check(let condition, _):
      guard isWritten(constraint, table) else { return isAsked(places) }
      // The default of a new column is expected to satisfy it.
      guard let former = formerTable(table),
        constraint.columns.contains(where: { former.column($0) != nil })
      else { return changes.match.copiedTables.contains(table) }
      return !keepsValues(constraint.columns, former, table)
        || !former.conditions.implies(ConditionClauses(condition))
    case .foreignKey(let foreignKey): return mayFail(foreignKey, table)
    }
  }

  func mayFail(
    _ index: Index,
    _ table: SQLIdentifier,
    _ places: [StatementPlace]
  ) -> Bool {
    if mayBeTooLong(index.elements.compactMap(\.column), table) { return true }
    if mayNotTakeExpressions(index, table) { return true }
    guard let key = index.tableKey else { return false }
    if isOfUniqueness(index, table) { return isAsked(places) }
    guard let former = formerTable(table) else { return isAsked(places) }
    let known = Set(former.columns.map(\.name))
    let isNumbered = key.columns.contains { name in
      !known.contains(name) && key.isKept(by: name)
        && destination.schema.tables[table]?.column(name)?.hasOwnValues ?? false
    }
    if isNumbered { return false }
    // Rows that were there have no value in a column that is new.
    let isEmpty = index.columns.contains { name in
      guard !known.contains(name), let column = destination.schema.tables[table]?.column(name)
      else { return false }
      return column.isNullable && column.defaultExpression == nil && column.generation == nil
        && !comparison.filledColumns.contains(ColumnReference(table: table, column: name))
    }
    if isEmpty { return false }
    return !keepsValues(index.readColumns, former, table)
      || !former.keys.contains { $0.implies(key) }
  }

  /// Returns whether columns have the values that they had: no other types, and nothing in the place of
  /// nulls.
  private func keepsValues(
    _ columns: [SQLIdentifier],
    _ former: Table,
    _ table: SQLIdentifier
  ) -> Bool {
    columns.allSatisfy { name in
      guard let before = former.column(name),
        let after = destination.schema.tables[table]?.column(name)
      else { return false }
      return before.type == after.type && (!before.isNullable || after.isNullable)
        && before.generation == after.generation
    }
  }

  /// Returns whether values of expressions may be too long for an index, or fail: they have no
  /// precondition.
  private func mayNotTakeExpressions(_ index: Index, _ table: SQLIdentifier) -> Bool {
    guard let former = formerTable(table) else { return false }
    let isKnown = former.indexes.contains { known in
      known.elements.map(\.key) == index.elements.map(\.key) && known.definition == index.definition
        && known.predicate == index.predicate
    }
    if isKnown, keepsValues(index.readColumns, former, table) { return false }
    return index.definition != nil || index.elements.contains { $0.column == nil }
  }

  /// Returns whether a value may not be computed, or not fit its column.
  func mayFailToCompute(
    _ column: Column?,
    _ value: SQLFragment?,
    _ table: SQLIdentifier
  ) -> Bool {
    guard let column, let value, let contents = destination.schema.tables[table] else {
      return true
    }
    return column.mayFail(toCompute: value, in: contents)
  }

  private func mayBeTooLong(_ columns: [SQLIdentifier], _ table: SQLIdentifier) -> Bool {
    columns.contains { column in
      changes.match.oldColumns[ColumnReference(table: table, column: column)]
        .map(indexedColumns.contains) ?? false
    }
  }

  /// Returns whether some rows may have dangling references.
  private func mayFail(_ foreignKey: ForeignKey, _ table: SQLIdentifier) -> Bool {
    let place = ColumnReference(table: table, column: foreignKey.column)
    if let reinstatement = changes.planner.reinstatement, !reinstatement.looseLinks.isEmpty {
      return true
    }
    let referenced = comparison.pair(after: foreignKey.references)
    if let referenced, leavingTables[referenced.before.name] != nil { return true }
    guard let old = changes.match.oldColumns[place] else { return false }
    return !(changes.match.source.schema.tables[old.table]?.constraints ?? []).contains {
      $0.foreignKey?.column == old.column
    }
  }

  /// Returns whether a condition is authored SQL, which has no precondition.
  private func isWritten(_ constraint: Constraint, _ table: SQLIdentifier) -> Bool {
    guard case .root(let name) = destination.tableOrigins[table],
      let root = destination.model.entity(named: name)
    else { return false }
    return destination.model.family(of: root).contains { entity in
      entity.checks.contains { $0.name == constraint.name.name }
    }
  }

  /// Returns whether an index belongs to a uniqueness constraint, which has a precondition.
  private func isOfUniqueness(_ index: Index, _ table: SQLIdentifier) -> Bool {
    guard case .root(let name) = destination.tableOrigins[table],
      let root = destination.model.entity(named: name)
    else { return false }
    return destination.model.family(of: root).contains { entity in
      entity.uniquenessConstraints.contains { names in
        names.flatMap { destination.columns(ofProperty: $0, seenFrom: entity) } == index.columns
      }
    }
  }

  /// The table of the source, by the names that it and its columns have afterwards.
  private func formerTable(_ table: SQLIdentifier) -> Table? {
    guard let old = changes.match.oldTables[table],
      var former = changes.match.source.schema.tables[old]
    else { return nil }
    former.renameColumns(changes.match.columns[old] ?? [:])
    return former
  }

  /// Returns whether other values of a column may not meet a condition or a key that was there before.
  func mayBreakWhatStays(_ column: SQLIdentifier, _ table: SQLIdentifier) -> Bool {
    guard let former = formerTable(table), former.column(column) != nil else { return false }
    return former.keys.contains { $0.columns.contains(column) }
      || former.constraints.contains { constraint in
        if case .check(_, let columns) = constraint.definition {
          columns.contains(column)
        } else {
          false
        }
      }
      || destination.schema.tables[table]?.column(column)?.isNullable == false
        && destination.mayDeriveNothing(column, of: table)
  }

  /// Returns whether a required column may be computed from nulls.
  func mayComputeNothing(_ column: Column, _ table: SQLIdentifier) -> Bool {
    guard !column.isNullable, let contents = destination.schema.tables[table] else { return false }
    return column.readColumns.contains { contents.column($0)?.isNullable ?? false }
  }
}
