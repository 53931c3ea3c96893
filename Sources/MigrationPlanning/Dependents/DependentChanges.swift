internal import SQLSyntax

/// The changes of objects that depend on changed ones: a plan drops those that would block it and
/// creates them again afterwards.
struct DependentChanges {
  /// The drops and creations, in no order yet.
  private(set) var operations: [MigrationOperation] = []
  /// The parts that new tables get before they are in place.
  private(set) var carriedParts: [CarriedPart] = []

  private let dependents: [DependentObject]
  private let replacements: TableReplacements?
  private let copying: Copying?

  /// The copy and its strategy.
  typealias Copying = (tables: [CopiedTable], strategy: CopyStrategy)

  private var causes: [Int: DependentRefusal.Cause] = [:]
  private var losses: [DependentRefusal] = []

  /// Finds out which objects the operations of a plan break.
  ///
  /// - Parameters:
  ///   - before: The dependent objects with the names before the operations.
  ///   - operations: The operations in their order.
  ///   - replacements: The replaced tables.
  ///   - copying: The copy, or `nil`.
  /// - Throws: The objects that cannot be created again.
  init(
    _ before: [DependentObject],
    in operations: [MigrationOperation],
    replacing replacements: TableReplacements? = nil,
    copying: Copying? = nil
  ) throws(PlanningError) {
    dependents = before.following(operations, replacing: replacements)
    self.replacements = replacements
    self.copying = copying
    noteReplacements(before)
    let users = Dictionary(
      grouping: dependents.indices.flatMap { index in
        dependents[index].uses.map { (usage: $0, index: index) }
      },
      by: \.usage.table
    )
    for operation in operations.map(\.base) {
      for user in users[operation.table] ?? [] {
        note(operation.dependentBreakage, of: operation.table, user.usage, user.index)
      }
    }
    spread()
    let refusals = losses + causes.sorted { $0.key < $1.key }.flatMap(refusals)
    guard refusals.isEmpty else {
      throw PlanningError(fact: .dependentsInTheWay(refusals))
    }
    makeOperations()
  }

  // MARK: - What breaks

  /// All that uses a table is to use the one that takes its place.
  private mutating func noteReplacements(_ before: [DependentObject]) {
    guard let replacements else { return }
    let parts = Set(
      before.compactMap { object in
        object.attachedTable.flatMap { table in
          object.partName.map { DependentObject.Usage.part(table, $0) }
        }
      }
    )
    for (index, object) in before.enumerated() {
      let uses = object.uses.filter { replacements.tables[$0.table] != nil }
        .sorted { $0.table < $1.table }
      guard let table = uses.first?.table else { continue }
      causes[index] = .tableReplaced(table)
      for usage in uses where replacements.replacement(of: usage) == nil && !parts.contains(usage) {
        switch usage {
        case .column(let table, let column): lose(index, .columnGone(column, table: table))
        case .part(let table, let part): lose(index, .partDropped(part, table: table))
        case .table, .rowType: break
        }
      }
    }
  }

  private mutating func note(
    _ breakage: DependentBreakage,
    of table: SQLIdentifier,
    _ usage: DependentObject.Usage,
    _ index: Int
  ) {
    let object = dependents[index]
    switch breakage {
    case .typeChanged(let column):
      if object.isBroken(byTypeOf: column, of: table, through: usage), causes[index] == nil {
        causes[index] = .typeChanged(column: column, table: table)
      }
    case .columnDropped(let column):
      if usage == .column(table, column) { lose(index, .columnDropped(column, table: table)) }
    case .columnReplaced(let column):
      if usage == .column(table, column) { lose(index, .columnReplaced(column, table: table)) }
    case .tableDropped: if object.attachedTable != table { lose(index, .tableDropped(table)) }
    case .partDropped(let part):
      if usage == .part(table, part) { lose(index, .partDropped(part, table: table)) }
    case .rowsLeave:
      if object.kind == .constraint, object.attachedTable != table {
        lose(index, .rowsLeave(table))
      } else {
        noteChangedRows(of: table, index)
      }
    case .rowsChange: noteChangedRows(of: table, index)
    case .none, .tableReplaced: break
    }
  }

  /// Triggers and rules are for the application's writes, and must not interfere with those of a
  /// migration.
  private mutating func noteChangedRows(of table: SQLIdentifier, _ index: Int) {
    switch dependents[index].kind {
    case .trigger, .rule:
      guard dependents[index].attachedTable == table, causes[index] == nil else { return }
      causes[index] = .rowsChange(table)
    case .view, .materializedView, .routine, .policy, .statistics, .publicationTable, .index,
      .constraint, .column, .settings, .other:
      break
    }
  }

  private mutating func lose(_ index: Int, _ cause: DependentRefusal.Cause) {
    let refusal = DependentRefusal(name: dependents[index].name, cause: cause, reason: nil)
    if !losses.contains(refusal) { losses.append(refusal) }
  }

  /// Users of a dropped object are dropped before it.
  private mutating func spread() {
    let indexes = Dictionary(
      dependents.enumerated().map { ($1.name, $0) },
      uniquingKeysWith: { first, _ in first }
    )
    var users: [Int: [Int]] = [:]
    for (index, object) in dependents.enumerated() {
      for used in object.usedDependents {
        if let usedIndex = indexes[used] { users[usedIndex, default: []].append(index) }
      }
    }
    var pending = causes.keys.sorted()
    while let index = pending.popLast() {
      for user in users[index] ?? [] where causes[user] == nil {
        causes[user] = .recreated(dependents[index].name)
        pending.append(user)
      }
    }
  }

  private func refusals(
    _ index: Int,
    _ cause: DependentRefusal.Cause
  ) -> [DependentRefusal] {
    let object = dependents[index]
    guard !losses.contains(where: { $0.name == object.name }) else { return [] }
    switch object.recreation {
    case .possible: return []
    case .impossible(let reason):
      return [DependentRefusal(name: object.name, cause: cause, reason: reason)]
    case .settings(let settings):
      return settings.obstacles.map {
        DependentRefusal(name: $0.name, cause: cause, reason: $0.reason)
      }
    }
  }

  // MARK: - What is done about it

  private mutating func makeOperations() {
    let dropped = Set(causes.keys.map { dependents[$0].name })
    for (index, _) in causes.sorted(by: { $0.key < $1.key }) {
      let object = dependents[index]
      let used = object.usedDependents.intersection(dropped)
      switch object.recreation {
      case .impossible: continue
      case .possible(let drop, let create, let scansTables):
        operations.append(
          .dropDependent(DropDependent(object: object, usedDependents: used, statement: drop))
        )
        if let early = object.earlyCreation, isMadeEarly(object, early) {
          carry(object, early)
          add(object, used, early.install, scansTables: false)
        } else {
          add(object, used, create, scansTables: scansTables)
        }
      case .settings(let settings):
        guard let replacements, let table = object.attachedTable else { continue }
        let name = QualifiedName(schema: replacements.schema, name: table)
        add(object, used, settings.statements(name), scansTables: false)
        carry(object, settings)
      }
    }
  }

  /// Whether an object can be created on a table that is not in place yet.
  private func isMadeEarly(
    _ object: DependentObject,
    _ early: DependentObject.EarlyCreation
  ) -> Bool {
    guard let copying, let name = object.attachedTable,
      let table = copying.tables.first(where: { $0.name == name })
    else { return false }
    switch copying.strategy {
    case .locked, .filled: return false
    case .gated: return true
    // A value that moves from one row to another is briefly a duplicate, unless the old row is
    // deleted before the new one is inserted.
    case .online: return !early.isUnique || table.replacesChangedRows
    }
  }

  private mutating func carry(
    _ object: DependentObject,
    _ early: DependentObject.EarlyCreation
  ) {
    carriedParts.append(
      CarriedPart(
        statements: early.create.map {
          PlannedStatement(sql: $0, reason: "create \(object.name)", impact: OperationImpact())
        },
        removal: early.drop,
        comesBeforeRows: false
      )
    )
  }

  private mutating func carry(_ object: DependentObject, _ settings: TableSettings) {
    guard let copying, let name = object.attachedTable,
      let table = copying.tables.first(where: { $0.name == name })?.staged
    else { return }
    carriedParts += settings.storage(of: table).map { statement, removal in
      CarriedPart(
        statements: [
          PlannedStatement(
            sql: statement,
            reason: "carry over to table \"\(name)\" what people have set",
            impact: OperationImpact()
          )
        ],
        removal: removal.map { [$0] } ?? [],
        comesBeforeRows: true
      )
    }
  }

  private mutating func add(
    _ object: DependentObject,
    _ used: Set<String>,
    _ statements: [SQLFragment],
    scansTables: Bool
  ) {
    operations.append(
      .createDependent(
        CreateDependent(
          object: object,
          usedDependents: used,
          statements: statements,
          scansTables: scansTables
        )
      )
    )
  }
}

/// The effect of an operation on dependent objects of its table.
enum DependentBreakage: Hashable {
  case none
  /// The table takes the place of another one.
  case tableReplaced
  case tableDropped
  case columnDropped(SQLIdentifier)
  /// Another column takes the place of a column.
  case columnReplaced(SQLIdentifier)
  /// A constraint or index is dropped.
  case partDropped(SQLIdentifier)
  /// A column gets another type.
  case typeChanged(SQLIdentifier)
  /// Rows are written.
  case rowsChange
  /// Rows are deleted.
  case rowsLeave
}

extension DependentObject {
  /// Returns whether the server refuses to change the type of a column because of this object, or
  /// does not leave the object as it was.
  fileprivate func isBroken(
    byTypeOf column: SQLIdentifier,
    of table: SQLIdentifier,
    through usage: Usage
  ) -> Bool {
    switch kind {
    case .index, .constraint, .settings:
      // The server rebuilds them with the column, or leaves them alone.
      false
    case .column, .materializedView:
      // Stored rows are never converted.
      usage == .column(table, column) || usage == .rowType(table)
    case .view, .routine, .rule, .trigger, .policy, .statistics, .publicationTable, .other:
      // The server rebuilds statistics itself, but without their owner and target.
      usage == .column(table, column)
    }
  }
}

extension [DependentObject] {
  /// Returns the objects with the names after some operations.
  func following(
    _ operations: [MigrationOperation],
    replacing replacements: TableReplacements?
  ) -> [DependentObject] {
    guard !isEmpty else { return self }
    let renames = operations.compactMap(\.rename)
    guard !renames.isEmpty || replacements != nil else { return self }
    return map { object in
      var object = object
      for rename in renames { object.follow(rename, replacements) }
      if let replacements { object.follow(replacements) }
      return object
    }
  }
}
