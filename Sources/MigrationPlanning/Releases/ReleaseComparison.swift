internal import ModelMapping
internal import ObjectModel
internal import SQLSyntax

/// Compares the tables that a release of the previous version knows with those under their names
/// after a step.
///
/// It compares results, not operations: rebuilding a table with the same result breaks nothing, and
/// retained objects stay usable under their names.
struct ReleaseComparison {
  /// A breakage with its cause.
  struct Finding: Hashable {
    var breakage: ReleaseBreakage
    var cause: Cause
  }

  /// The cause, by the names after the step.
  enum Cause: Hashable {
    /// A table is renamed or removed.
    case table(SQLIdentifier)
    /// A column, by its former and its new name; a removed one, by its last name.
    case column(SQLIdentifier?, SQLIdentifier?, table: SQLIdentifier)
    /// A constraint or an index is added.
    case object(SQLIdentifier, table: SQLIdentifier)
    /// A constraint or an index of the source is removed.
    case formerObject(SQLIdentifier, table: SQLIdentifier)
    /// Rows change.
    case rows(SQLIdentifier)
  }

  /// A table of the source and its replacement.
  struct Pair {
    /// The table of the source.
    var before: Table
    /// The table afterwards; `nil` if it is removed.
    var after: Table?
    /// The names of the columns afterwards, without removed ones.
    var columns: [SQLIdentifier: SQLIdentifier]
    /// Its name while the step changes it.
    var workingName: SQLIdentifier
    /// The names of removed columns until then.
    var workingColumns: [SQLIdentifier: SQLIdentifier] = [:]
    /// A Boolean value that indicates whether it is rebuilt.
    var isCopied = false
  }

  let source: ModelProjection
  let destination: ModelProjection
  /// The tables of the source.
  let pairs: [Pair]
  /// The columns of the destination that have values of rows which were there, without having been there
  /// themselves.
  let filledColumns: Set<ColumnReference>
  /// The rebuilt tables.
  let copiedTables: Set<SQLIdentifier>
  private(set) var findings: [Finding] = []
  private var known: Set<Finding> = []
  /// The names of the source's tables afterwards.
  let tablesAfter: [SQLIdentifier: SQLIdentifier]
  /// The names of their columns afterwards, by the tables of the source.
  let columnsAfter: [SQLIdentifier: [SQLIdentifier: SQLIdentifier]]
  /// The pairs by the names of the tables of the source.
  private let positionsBefore: [SQLIdentifier: Int]
  /// The pairs by the names that tables have afterwards.
  private let positionsAfter: [SQLIdentifier: Int]

  init(
    from source: ModelProjection,
    to destination: ModelProjection,
    pairs: [Pair],
    filledColumns: Set<ColumnReference>,
    copiedTables: Set<SQLIdentifier>
  ) {
    self.source = source
    self.destination = destination
    self.pairs = pairs
    self.filledColumns = filledColumns
    self.copiedTables = copiedTables
    positionsBefore = Dictionary(
      pairs.enumerated().map { ($0.element.before.name, $0.offset) },
      uniquingKeysWith: { first, _ in first }
    )
    positionsAfter = Dictionary(
      pairs.enumerated().compactMap { position, pair in pair.after.map { ($0.name, position) } },
      uniquingKeysWith: { first, _ in first }
    )
    tablesAfter = Dictionary(
      pairs.compactMap { pair in pair.after.map { (pair.before.name, $0.name) } },
      uniquingKeysWith: { first, _ in first }
    )
    columnsAfter = Dictionary(
      pairs.map { ($0.before.name, $0.columns) },
      uniquingKeysWith: { first, _ in first }
    )
    for pair in pairs { compare(pair) }
    compareReferences()
  }

  /// The copied tables that take the places of tables of the source.
  var copiedHeirs: [SQLIdentifier: SQLIdentifier] {
    Dictionary(
      pairs.filter(\.isCopied).compactMap { pair in
        pair.after.map { (pair.before.name, $0.name) }
      },
      uniquingKeysWith: { first, _ in first }
    )
  }

  mutating func add(_ breakage: ReleaseBreakage, _ cause: Cause) {
    let finding = Finding(breakage: breakage, cause: cause)
    if known.insert(finding).inserted { findings.append(finding) }
  }

  /// Returns a table of the source with its replacement.
  func pair(before name: SQLIdentifier) -> Pair? { positionsBefore[name].map { pairs[$0] } }

  /// Returns which table of the source is called so afterwards.
  func pair(after name: SQLIdentifier) -> Pair? { positionsAfter[name].map { pairs[$0] } }

  // MARK: - Tables

  private mutating func compare(_ pair: Pair) {
    let name = pair.before.name
    guard let after = pair.after else {
      return add(.tableDropped(name), .table(pair.workingName))
    }
    // Most tables of a large model are the same in both versions.
    if after == pair.before, pair.columns.allSatisfy({ $0.key == $0.value }) { return }
    if after.name != name { add(.tableRenamed(name, to: after.name), .table(after.name)) }
    for column in pair.before.columns { compare(column, in: pair, after) }
    let known = Set(pair.columns.values)
    for column in after.columns where !known.contains(column.name) {
      compare(new: column, in: pair, after)
    }
    compareKeys(pair, after)
    compareConditions(pair, after)
    compareNames(pair, after)
  }

  // MARK: - Columns

  private mutating func compare(_ before: Column, in pair: Pair, _ table: Table) {
    let name = pair.before.name
    guard let newName = pair.columns[before.name], let after = table.column(newName) else {
      let working = pair.workingColumns[before.name] ?? before.name
      return add(
        .columnDropped(before.name, table: name),
        .column(before.name, working, table: pair.workingName)
      )
    }
    let cause = Cause.column(before.name, newName, table: pair.workingName)
    if newName != before.name {
      add(.columnRenamed(before.name, to: newName, table: name), cause)
    }
    if before.type != after.type {
      add(.typeChanged(before.name, table: name, from: before.type, to: after.type), cause)
    }
    if before.takesValues, !after.takesValues {
      add(.valueComputed(before.name, table: name), cause)
    }
    if isComputedAnew(before.name, newName, pair, table) {
      addComputation(of: after, known: before.name, pair, table)
    }
    if isNewlyRequired(before, after, pair, table) {
      add(.valueRequired(before.name, table: name), cause)
    }
  }

  private mutating func compare(new column: Column, in pair: Pair, _ table: Table) {
    addComputation(of: column, known: nil, pair, table)
    let isMissing =
      column.generation == nil ? !mayBeLeftOut(column, table) : mayComputeNothing(column, table)
    guard isMissing, !column.isNullable else { return }
    add(
      .valueRequired(column.name, table: pair.before.name),
      .column(nil, column.name, table: pair.workingName)
    )
  }

  private func isNewlyRequired(
    _ before: Column,
    _ after: Column,
    _ pair: Pair,
    _ table: Table
  ) -> Bool {
    guard !after.isNullable else { return false }
    if after.generation != nil { return before.isNullable && mayComputeNothing(after, table) }
    if isTriggered(after, table, destination) { return false }
    if before.isNullable, before.generation == nil { return true }
    return mayBeLeftOut(before, pair.before, in: source) && !mayBeLeftOut(after, table)
  }

  private func mayComputeNothing(_ column: Column, _ table: Table) -> Bool {
    column.readColumns.contains { table.column($0)?.isNullable ?? false }
  }

  /// Returns whether INSERT need not name a column.
  private func mayBeLeftOut(
    _ column: Column,
    _ table: Table,
    in projection: ModelProjection? = nil
  ) -> Bool {
    column.isNullable || column.defaultExpression != nil || column.sequence != nil
      || column.generation != nil || isTriggered(column, table, projection ?? destination)
  }

  private func isTriggered(_ column: Column, _ table: Table, _ projection: ModelProjection) -> Bool
  {
    projection.derivations[ColumnReference(table: table.name, column: column.name)] != nil
  }

  // MARK: - Keys

  private mutating func compareKeys(_ pair: Pair, _ table: Table) {
    var renamed = pair.before
    renamed.renameColumns(pair.columns)
    let before = renamed.keys
    let after = table.keys
    for (key, renamedKey) in zip(pair.before.keys, before)
    where key.isInferable && key.columns.allSatisfy({ pair.columns[$0] != nil })
      && !after.contains(where: { $0.answers(for: renamedKey) })
    {
      add(
        .keyRemoved(key.columns, table: pair.before.name),
        .formerObject(key.name, table: pair.workingName)
      )
    }
    let written = renamed.conditions
    for key in after {
      let isKept = !fillsOtherwise(key.columns, pair, table)
      if isKept, key.isPrimary || before.contains(where: { $0.implies(key) }) { continue }
      if isLeftAlone(key, pair, table) || concernsOtherRows(key, written) { continue }
      add(
        .uniquenessRequired(formerNames(key.columns, pair), table: pair.before.name),
        .object(key.name, table: pair.workingName)
      )
    }
  }

  private func formerNames(_ columns: [SQLIdentifier], _ pair: Pair) -> [SQLIdentifier] {
    columns.map { column in pair.columns.first { $0.value == column }?.key ?? column }
  }

  /// Returns whether the release writes nothing of a key, or only where another part has no value.
  private func isLeftAlone(_ key: TableKey, _ pair: Pair, _ table: Table) -> Bool {
    let known = Set(pair.columns.values)
    let unwritten = key.columns.filter { name in
      !known.contains(name) && table.column(name)?.isNullable ?? false && isEmpty(name, table)
    }
    let isNumbered = key.columns.contains { name in
      !known.contains(name) && key.isKept(by: name) && table.column(name)?.hasOwnValues ?? false
    }
    return isNumbered || unwritten.count == key.columns.count
      || unwritten.contains {
        !filledColumns.contains(ColumnReference(table: table.name, column: $0))
      }
  }

  /// Returns whether a key is about rows alone that the release cannot write.
  private func concernsOtherRows(_ key: TableKey, _ written: ConditionClauses) -> Bool {
    guard let condition = key.condition else { return false }
    return condition.clauses.contains { clause in
      clause.allSatisfy { atom in
        guard case .anyOf(let term, let values) = atom else { return false }
        return written.implies([.anyBut(term, values)])
      }
    }
  }

  // MARK: - Conditions

  private mutating func compareConditions(_ pair: Pair, _ table: Table) {
    var renamed = pair.before
    renamed.renameColumns(pair.columns)
    let before = renamed.conditions
    let known = Set(pair.columns.values)
    for constraint in table.constraints {
      guard case .check(let condition, let columns) = constraint.definition else { continue }
      let clauses = ConditionClauses(condition).clauses
      let broken =
        isComputedAnew(columns, pair, table) ? clauses : clauses.filter { !before.implies($0) }
      if broken.isEmpty,
        let column = columns.first(where: { column in
          !allowsDefault(column, clauses, pair, table)
        })
      {
        add(
          .conditionRequired(constraint.name, table: pair.before.name),
          .column(column, column, table: pair.workingName)
        )
        continue
      }
      guard !broken.isEmpty else { continue }
      if let column = requiredColumn(by: broken, table), broken.count == 1 {
        // A new column of a subentity's is never given a value by the release.
        let isWritten = known.contains(column) || isEmpty(column, table)
        guard isWritten else { continue }
        add(
          .valueRequired(formerNames([column], pair)[0], table: pair.before.name),
          .object(constraint.name, table: pair.workingName)
        )
        continue
      }
      guard
        columns.contains(where: { known.contains($0) && $0 != StorageNames.discriminator })
          || columns == [StorageNames.discriminator] && known.contains(columns[0])
          || !columns.allSatisfy({ isPlain($0, table) })
      else { continue }
      add(
        .conditionRequired(constraint.name, table: pair.before.name),
        .object(constraint.name, table: pair.workingName)
      )
    }
  }

  /// Returns the column that has to have a value for a condition to hold.
  private func requiredColumn(
    by clauses: Set<ConditionClauses.Clause>,
    _ table: Table
  )
    -> SQLIdentifier?
  {
    for clause in clauses {
      for case .present(let term) in clause {
        return table.columns.first { $0.name.quoted == term }?.name
      }
    }
    return nil
  }

  private func isEmpty(_ column: SQLIdentifier, _ table: Table) -> Bool {
    guard let column = table.column(column) else { return false }
    return column.defaultExpression == nil && column.generation == nil
      && !isTriggered(column, table, destination)
  }

  /// Returns whether a column has its default, or nothing, where the release writes a row.
  private func isPlain(_ name: SQLIdentifier, _ table: Table) -> Bool {
    guard let column = table.column(name) else { return false }
    return column.generation == nil && !isTriggered(column, table, destination)
  }
}

extension Column {
  /// A Boolean value that indicates whether INSERT may give it a value.
  fileprivate var takesValues: Bool { generation == nil && sequence?.kind != .identityAlways }
}
