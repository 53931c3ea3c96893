public import SQLSyntax

/// One statement of a plan, with information for a database administrator.
public struct PlannedStatement: Hashable, Sendable {
  /// The statement.
  public let sql: SQLFragment
  /// The purpose of the statement.
  public let reason: String
  /// The locks it takes, the tables it rewrites and scans, and its hazards.
  ///
  /// Tables created in the same transaction are left out, since no other session sees them.
  public private(set) var impact = OperationImpact()
  /// The rows that pass through a policy in code; the SQL of such a statement only shows how they
  /// are read and written.
  package internal(set) var rowPolicy: RowPolicy?
  /// When it runs.
  public internal(set) var phase = MigrationPhase.switch
  /// A Boolean value that indicates whether it can run in a transaction.
  public internal(set) var isTransactional = true
  /// A Boolean value that indicates whether the statement is authored SQL, for which the impact is
  /// an upper bound.
  public internal(set) var isWritten = false
  /// A Boolean value that indicates whether the statement is authored SQL with an unknown effect:
  /// it has every hazard.
  package var hasUnknownEffect: Bool { isWritten && impact.hazards == Hazard.ofUnknownSQL }
  /// The entries of the statement in the server's lock table.
  var lockedObjects: Set<LockedObject> = []
  /// The row work of the statement, including that on tables of the same transaction.
  package var rowWork: [RowWork] = []
  /// The changes that break a release on the previous version.
  public internal(set) var breakages: [ReleaseBreakage] = []
  /// The tables and columns that it is about.
  var places: [StatementPlace] = []
  /// The schema that it creates, if it does.
  package internal(set) var madeSchema: SQLIdentifier?
}

extension PlannedStatement {
  /// Removes changes that break no release, since none uses the tables in that way.
  mutating func removeBreakages(where isBridged: (ReleaseBreakage) -> Bool) {
    guard breakages.contains(where: isBridged) else { return }
    breakages.removeAll(where: isBridged)
    guard breakages.isEmpty else { return }
    impact.hazards.remove(.breaksPreviousRelease)
    for index in places.indices { places[index].hazards.remove(.breaksPreviousRelease) }
  }

  /// Removes the hazards that do not apply.
  ///
  /// - Parameters:
  ///   - part: The hazards that apply.
  ///   - isFirst: Whether it is the first of several statements for one operation, which has all
  ///     breakages.
  mutating func limit(to part: StepHazards.Part, isFirst: Bool = true) {
    var known = part
    if !isFirst { known.breakages = [] }
    breakages = known.breakages
    impact.hazards.limit(to: known)
    for index in places.indices where places[index].hazards.isEmpty {
      if part.failsOnData { places[index].hazards.insert(.failsOnData) }
      if !part.breakages.isEmpty { places[index].hazards.insert(.breaksPreviousRelease) }
    }
  }
}

extension Set<Hazard> {
  /// Removes the hazards that do not apply.
  mutating func limit(to part: StepHazards.Part) {
    if !part.failsOnData { remove(.failsOnData) }
    if !part.breakages.isEmpty { insert(.breaksPreviousRelease) }
  }
}

extension StepHazards.Part {
  fileprivate mutating func formUnion(_ other: Self?) {
    guard let other else { return }
    breakages += other.breakages
    failsOnData = failsOnData || other.failsOnData
  }
}

/// Turns operations in their order into statements: one ALTER TABLE for those that can share one.
struct StatementCompiler {
  private let schema: DatabaseSchema
  private let hazards: StepHazards?
  /// The kinds of the tables before, under their names in the schema.
  private let kinds: TableKinds
  /// A Boolean value that indicates whether Citus knows any table, and so those of the coordinator that are connected
  /// with it by foreign keys.
  private let hasTablesOfCitus: Bool
  private var position = 0
  private var newTables: Set<SQLIdentifier> = []
  private var statements: [PlannedStatement] = []
  private var pending: (table: SQLIdentifier, clauses: [SQLFragment], reasons: [String])?
  private var pendingImpact = OperationImpact()
  private var pendingObjects: Set<LockedObject> = []
  private var pendingWork: [RowWork] = []
  private var pendingPlaces: [StatementPlace] = []
  private var pendingHazards = StepHazards.Part()
  private var places = StatementPlaces()

  /// Turns operations into statements.
  ///
  /// - Parameters:
  ///   - operations: The operations in their order.
  ///   - schema: The tables after them.
  ///   - hazards: The hazards of each operation; without them, the operations' own hazards apply.
  ///   - kinds: The kinds of the tables before, under their names in the schema.
  /// - Returns: The statements.
  static func statements(
    for operations: [MigrationOperation],
    in schema: DatabaseSchema,
    hazards: StepHazards? = nil,
    among kinds: TableKinds = TableKinds()
  ) -> [PlannedStatement] {
    var compiler = StatementCompiler(schema, hazards, kinds)
    for operation in operations { compiler.add(operation) }
    compiler.flush()
    return compiler.statements
  }

  private init(
    _ schema: DatabaseSchema,
    _ hazards: StepHazards?,
    _ kinds: TableKinds
  ) {
    self.schema = schema
    self.hazards = hazards
    self.kinds = kinds
    hasTablesOfCitus = kinds.haveTablesOfCitus(in: schema)
  }

  private mutating func add(_ operation: MigrationOperation) {
    let table = operation.base.table
    let isOnNodes =
      schema.tables[table]?.distribution != nil || kinds.schemaColocation != nil
      || kinds[table]?.isOnOtherNodes == true
    let isLocalReference =
      !isOnNodes && hasTablesOfCitus && !operation.addedForeignKeys.isEmpty
    if isLocalReference { setLocalReferences("on") }
    add(operation, isOfCitus: isOnNodes || hasTablesOfCitus)
    if isLocalReference { setLocalReferences("off") }
  }

  /// Has Citus know of a table on the coordinator once it refers to one that Citus knows.
  ///
  /// It would forget such a table with its last reference, which it cannot if there is an identity column; our
  /// sessions do without that.
  private mutating func setLocalReferences(_ value: SQLFragment) {
    flush()
    let setting: SQLFragment = "SET LOCAL citus.enable_local_reference_table_foreign_keys ="
    if value == "on", statements.last?.sql == "\(setting) off" {
      statements.removeLast()
      return
    }
    statements.append(
      PlannedStatement(
        sql: "\(setting) \(value)",
        reason: "let Citus \(value == "on" ? "know" : "not forget") tables on the coordinator"
      )
    )
  }

  private mutating func add(_ operation: MigrationOperation, isOfCitus: Bool) {
    // Citus gives a constraint another name by way of its index alone.
    let base = isOfCitus ? operation.byIndex.base : operation.base
    newTables.formUnion(base.outcome.madeTables)
    let part = hazards?.operations[position]
    position += 1
    var places = places.places(of: operation)
    if let part { for index in places.indices { places[index].hazards.limit(to: part) } }
    switch base.sql(in: schema.name) {
    case .clauses(let clauses):
      guard !clauses.isEmpty else { return }
      // Citus adds a constraint by a statement of its own, and fails badly where two foreign keys are dropped at once.
      let isAlone = isOfCitus && (operation.addsConstraint || operation.dropsForeignKey)
      if isAlone || pending?.table != base.table { flush() }
      pending = (
        base.table, (pending?.clauses ?? []) + clauses, (pending?.reasons ?? []) + [base.summary]
      )
      pendingImpact.formUnion(base.impact)
      pendingObjects.formUnion(base.lockedObjects(in: schema))
      pendingWork += base.rowWork(in: schema).flatMap(\.self)
      pendingPlaces += places
      pendingHazards.formUnion(part)
      if isAlone { flush() }
    case .statements(let texts):
      // Operations without statements separate nothing.
      guard !texts.isEmpty else { return }
      flush()
      let objects = base.lockedObjects(in: schema)
      let works = base.rowWork(in: schema)
      for (index, text) in texts.enumerated() {
        append(
          text,
          base.summary,
          base.impact(ofStatement: index),
          objects,
          works.indices.contains(index) ? works[index] : [],
          places,
          part.map { index == 0 ? $0 : .init(failsOnData: $0.failsOnData) },
          isWritten: base.remadeDependent != nil
        )
      }
    }
  }

  private mutating func flush() {
    guard let (table, clauses, reasons) = pending else { return }
    pending = nil
    let name = schema.qualified(table)
    let body = clauses.joined(separator: ",\n  ")
    let separator: SQLFragment = clauses.count == 1 ? " " : "\n  "
    append(
      "ALTER TABLE \(name)\(separator)\(body)",
      reasons.joined(separator: "; "),
      pendingImpact,
      pendingObjects,
      RowWork.merged(pendingWork),
      pendingPlaces,
      hazards == nil ? nil : pendingHazards
    )
    pendingImpact = OperationImpact()
    pendingObjects = []
    pendingWork = []
    pendingPlaces = []
    pendingHazards = StepHazards.Part()
  }

  private mutating func append(
    _ sql: SQLFragment,
    _ reason: String,
    _ impact: OperationImpact,
    _ objects: Set<LockedObject>,
    _ work: [RowWork],
    _ places: [StatementPlace],
    _ hazards: StepHazards.Part?,
    isWritten: Bool = false
  ) {
    var impact = impact
    let mayFail = impact.hazards.contains(.failsOnData)
    impact.disregard(newTables)
    // Rows come to new tables, too.
    if mayFail, hazards?.failsOnData == true { impact.hazards.insert(.failsOnData) }
    var statement = PlannedStatement(
      sql: sql,
      reason: reason,
      impact: impact,
      isWritten: isWritten,
      lockedObjects: objects,
      rowWork: work,
      places: places
    )
    if let hazards { statement.limit(to: hazards) }
    statements.append(statement)
  }
}
