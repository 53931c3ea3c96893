internal import ModelMapping
internal import ObjectModel
internal import SQLSyntax

/// Compiles a step that fills columns in place of copying their tables, or finds out why it cannot.
///
/// The rows are those that the copy would have, so the values are those of its queries; everything
/// else is done as if the mapping changed no rows.
struct FillCompiler {
  private let draft: StepDraft
  private let mapping: CompleteMapping
  private let compiled: CompiledCopy
  /// The changes of tables that stay.
  private let changes: SchemaChanges
  private let tables: Set<SQLIdentifier>
  private var obstacles: FillObstacles { draft.planner.fillObstacles }

  private var source: ModelProjection { draft.source.projection }
  private var destination: ModelProjection { draft.destination.projection }

  /// Prepares the compilation; `nil` if nothing has to be filled.
  ///
  /// - Parameters:
  ///   - draft: The draft that copies.
  ///   - tables: The tables to fill besides those that are copied.
  /// - Throws: Why it cannot.
  init?(_ draft: StepDraft, _ tables: Set<SQLIdentifier>) throws(FillObstacle) {
    let (source, destination) = (draft.source.projection, draft.destination.projection)
    let copied = draft.changes.match.copiedTables
    let tables = copied.union(tables)
    guard !tables.isEmpty else { return nil }
    if draft.planner.reinstatement != nil {
      throw FillObstacle(reason: "the step puts back what earlier ones have retained")
    }
    let model = draft.mapping.mappingModel
    if !model.before.isEmpty || !model.after.isEmpty {
      throw FillObstacle(
        reason: "SQL of the mapping model runs before or after the rows are copied"
      )
    }
    if let join = draft.mapping.copyScope.joins.map(\.relationshipName).min() {
      throw FillObstacle(reason: "the links of relationship \"\(join)\" are made again")
    }
    mapping = try draft.widened(to: tables)
    do {
      compiled = try CompiledCopy(
        CopyRequest(
          mapping: mapping,
          source: source,
          destination: destination,
          staging: .apart,
          mapSchema: draft.planner.stagingSchema
        )
      )
    } catch {
      throw FillObstacle(reason: "the mapping cannot be carried out")
    }
    if let obstacle = compiled.notes.onlineObstacle { throw FillObstacle(reason: obstacle) }
    if compiled.hasMaps || !compiled.numbering.isEmpty {
      throw FillObstacle(reason: "rows get other keys or places")
    }
    var planner = draft.planner
    planner.spares = []
    let placement = mapping.placement(from: source.model, to: destination.model)
    func changes(_ planner: MigrationPlanner) -> SchemaChanges {
      SchemaChanges(
        from: draft.source,
        to: draft.destination,
        by: placement,
        linking: model,
        planner,
        retained: draft.retained
      )
    }
    let updating = changes(planner)
    planner.replacedColumns = updating.updatedColumns(copied: copied)
      .filter { tables.contains($0.table) }
    self.changes = planner.replacedColumns.isEmpty ? updating : changes(planner)
    self.draft = draft
    self.tables = tables
  }

  // MARK: - Compiling

  /// Returns the draft that fills.
  func filled() throws(FillObstacle) -> StepDraft {
    var fills: [FilledTable] = []
    var operations = changes.operations
    for name in tables.sorted() {
      let fill = try fill(name)
      guard !fill.columns.isEmpty else {
        throw FillObstacle(reason: "table \"\(name)\" has no column that is computed")
      }
      fills.append(fill)
      operations = operations.compactMap { $0.leaving(fill) } + fill.columns.map(installation)
    }
    let written = Set(fills.map(\.name) + tables)
    for operation in operations where operation.base.rowChange != .none {
      guard !written.isDisjoint(with: operation.base.impact.locks.keys),
        !isQuick(operation)
      else { continue }
      throw FillObstacle(reason: "the step has to \(operation.base.summary) as well")
    }
    return StepDraft(of: draft, mapping, changes.with(operations), compiled, filling: fills)
  }

  /// Returns whether an operation replaces nulls of a small table, which keeps nobody waiting at the end.
  private func isQuick(_ operation: MigrationOperation) -> Bool {
    guard case .updateRows(let update) = operation, update.purpose == .fillNulls else {
      return false
    }
    return !changes.isLarge(update.table, copied: draft.changes.match.copiedTables)
  }

  private func installation(_ column: FilledColumn) -> MigrationOperation {
    let former = changes.match.oldColumns[column.place].flatMap {
      source.schema.tables[$0.table]?.column($0.column)
    }
    let place = column.place
    return .installColumn(
      InstallColumn(
        table: place.table,
        filled: column,
        column: destination.schema.tables[place.table]?.column(place.column)
          ?? Column(name: place.column, type: column.type),
        former: former,
        isNamed: draft.planner.serverMajor >= 18
      )
    )
  }

  // MARK: - Tables

  private func fill(_ name: SQLIdentifier) throws(FillObstacle) -> FilledTable {
    guard let oldName = changes.match.oldTables[name], let old = source.schema.tables[oldName],
      let new = destination.schema.tables[name], let key = old.key,
      let keyType = old.column(key)?.type,
      let copied = compiled.tables.first(where: { $0.name == name })
    else { throw FillObstacle(reason: "table \"\(name)\" does not keep the rows of one table") }
    let values = try RowValues(of: copied, from: old, compiled)
    try checkTriggers(of: old)
    if let obstacle = obstacles.tables[oldName] { throw FillObstacle(reason: obstacle) }
    var columns: [FilledColumn] = []
    for column in new.columns where copied.columns.contains(column.name) {
      let place = ColumnReference(table: name, column: column.name)
      guard let filled = try filled(column, at: place, values, old, new) else { continue }
      columns.append(filled)
    }
    columns += draft.planner.bridges.first { $0.newName == name }?.filledColumns ?? []
    return FilledTable(
      name: oldName,
      key: key,
      keyType: keyType,
      mappingName: copied.feeds.first?.mappingName ?? "",
      columns: columns
    )
  }

  private func checkTriggers(of table: Table) throws(FillObstacle) {
    for trigger in table.triggers {
      var isFired = false
      switch trigger.activation {
      case .beforeEachWrite(let columns):
        guard byBytes(trigger.name.name, FillStatements.trigger.name) else {
          throw FillObstacle.trigger(trigger.name.name, runsLaterOn: table.name.name)
        }
        isFired = columns.isEmpty
      case .afterStatement(let event): isFired = event == .update
      case .afterEachDelete: break
      }
      if isFired {
        throw FillObstacle.trigger(trigger.name.name, noticesFillsOf: table.name.name)
      }
    }
  }

  // MARK: - Columns

  /// Returns a column to fill; none if the server has its values anyway.
  private func filled(
    _ column: Column,
    at place: ColumnReference,
    _ values: RowValues,
    _ old: Table,
    _ new: Table
  ) throws(FillObstacle) -> FilledColumn? {
    let former = changes.match.oldColumns[place].flatMap { old.column($0.column) }
    switch destination.columnOrigins[place.table]?[place.column] {
    case .attribute(let entity, let name, let path):
      let isComputed = values.computes(name)
      let isReplaced =
        changes.planner.replacedColumns.contains(place)
        || former.map { isRewritten($0, as: column) } ?? false
      guard isComputed || isReplaced else { return nil }
      let words = "attribute \"\(name)\" of entity \"\(entity)\""
      if isComputed, former != nil {
        throw FillObstacle(reason: "\(words) has values already, which others would replace")
      }
      if !path.isEmpty { throw FillObstacle(reason: "\(words) is a composite") }
      if let former { try checkRetype(of: former, in: old, place, new) }
    case .reference(let entity, let name), .position(let entity, let name):
      guard values.isPlain(column, from: former) else {
        throw FillObstacle(reason: "relationship \"\(name)\" of entity \"\(entity)\" is computed")
      }
      return nil
    case .key, .discriminator, .joinedDestination, .joinedSource, nil: return nil
    }
    let value = try values.value(of: column.name)
    return FilledColumn(
      temporaryName: StorageNames.temporary(column.name),
      place: place,
      type: column.type,
      value: value,
      isRequired: !column.isNullable,
      isComparedAsText: compiled.tables.first { $0.name == place.table }?
        .comparedAsText.contains(column.name) ?? false,
      mayFail: former == nil && column.mayFail(toCompute: value, in: old)
    )
  }

  // MARK: - Retyped columns

  private func isRewritten(_ former: Column, as column: Column) -> Bool {
    guard former.type != column.type, former.generation == nil, column.generation == nil else {
      return false
    }
    let change = ChangeColumnType(
      table: column.name,
      column: column.name,
      before: former.type,
      after: column.type
    )
    return !change.impact.rewrites.isEmpty
  }

  /// What uses a column goes with it, and a large table would be without it for a while.
  private func checkRetype(
    of former: Column,
    in old: Table,
    _ place: ColumnReference,
    _ new: Table
  ) throws(FillObstacle) {
    let words = "column \"\(former.name)\" of table \"\(old.name)\""
    if place.column != former.name, old.column(place.column) != nil {
      throw FillObstacle(reason: "\(words) gets the name of another column")
    }
    if let obstacle = obstacles.columns[ColumnReference(table: old.name, column: former.name)] {
      throw FillObstacle(reason: obstacle)
    }
    if !isLossless(former, in: old, to: place) {
      throw FillObstacle(reason: "not every value of \(words) has its counterpart in the new type")
    }
    if former.sequence != nil { throw FillObstacle(reason: "\(words) is numbered by the server") }
    if let index = old.indexes.first(where: { $0.readColumns.contains(former.name) }) {
      throw FillObstacle(
        reason: "\(words) is in index \"\(index.name)\", which would be missing for a while"
      )
    }
    let constraint = old.constraints.first { constraint in
      if case .check = constraint.definition { return false }
      return constraint.columns.contains(former.name)
    }
    if let constraint {
      throw FillObstacle(reason: "\(words) is in constraint \"\(constraint.name)\"")
    }
    if let reader = old.columns.first(where: { $0.readColumns.contains(former.name) }) {
      throw FillObstacle(reason: "column \"\(reader.name)\" is computed from \(words)")
    }
    if let trigger = old.triggers.first(where: { $0.columns.contains(former.name) }) {
      throw FillObstacle(reason: "trigger \"\(trigger.name)\" reads \(words)")
    }
  }

  /// Returns whether every value of a column has its counterpart in the other type.
  private func isLossless(_ former: Column, in old: Table, to place: ColumnReference) -> Bool {
    guard
      let before = source.attributeType(of: ColumnReference(table: old.name, column: former.name)),
      let after = destination.attributeType(of: place)
    else { return false }
    return switch AttributeConversion(from: before, to: after) {
    case .identical, .lossless: true
    case .checked, .impossible: false
    }
  }
}

extension ModelProjection {
  /// Returns the type of the attribute that a column is of.
  fileprivate func attributeType(of place: ColumnReference) -> AttributeType? {
    guard case .attribute(let entity, let name, []) = columnOrigins[place.table]?[place.column]
    else { return nil }
    return model.entity(named: entity)?.attributes.first { $0.name == name }?.type
  }
}

extension MigrationOperation {
  /// Returns the operation without its part in columns that are filled; `nil` if nothing remains.
  fileprivate func leaving(_ fill: FilledTable) -> MigrationOperation? {
    func isFilled(_ table: SQLIdentifier, _ column: SQLIdentifier) -> Bool {
      fill.columns.contains { $0.place == ColumnReference(table: table, column: column) }
    }
    switch self {
    case .addColumn(let addition):
      return isFilled(addition.table, addition.column.name) ? nil : self
    case .setDefault(let change): return isFilled(change.table, change.column) ? nil : self
    case .setNotNull(let change): return isFilled(change.table, change.column) ? nil : self
    case .dropNotNull(let change): return isFilled(change.table, change.column) ? nil : self
    case .changeColumnType(let change): return isFilled(change.table, change.column) ? nil : self
    case .rename(let rename):
      guard case .notNull(let table, let column, _) = rename.kind else { return self }
      return isFilled(table, column) ? nil : self
    case .updateRows(var update):
      guard update.purpose == .moveValues || update.purpose == .keepValues else { return self }
      update.assignments.removeAll { isFilled(update.table, $0.column) }
      return update.assignments.isEmpty ? nil : .updateRows(update)
    case .createTable, .installTable, .dropTable, .retainTable, .installColumn, .dropColumn,
      .retainColumn, .dropExpression, .computeValues, .copyRows, .retainRows, .deleteRows,
      .cutLinks,
      .cutDanglingLinks, .moveLinks, .numberLinks, .addConstraint, .alterConstraint,
      .dropConstraint, .createIndex,
      .dropIndex, .createTrigger, .addPartitions, .distributeTable, .setTableStorageParameters,
      .dropTrigger,
      .reinstateRows,
      .dropDependent, .createDependent:
      return self
    }
  }
}
