public import SQLSyntax

/// One statement of a plan, with what a database administrator wants to know of it.
public struct PlannedStatement: Hashable, Sendable {
  /// The statement.
  public let sql: SQLFragment
  /// What it is for.
  public let reason: String
  /// The locks it takes, the tables it rewrites and scans, and what else may hurt.
  ///
  /// Tables that the same transaction makes are left out, since nobody else sees them.
  public private(set) var impact = OperationImpact()
  /// The rows that pass through a policy in code, where that is what is done: the statement then only
  /// shows how they are read and written.
  public internal(set) var rowPolicy: RowPolicy?
  /// When it runs.
  public internal(set) var phase = MigrationPhase.switch
  /// A Boolean value that indicates whether it can run in a transaction.
  public internal(set) var isTransactional = true
  /// A Boolean value that indicates whether people wrote the statement: what is said of it is then the
  /// most that it should take and do.
  public internal(set) var isWritten = false
  /// A Boolean value that indicates whether people wrote the statement and nobody knows what it does: it
  /// then has every hazard.
  public var hasUnknownEffect: Bool { isWritten && impact.hazards == Hazard.ofUnknownSQL }
  /// What the statement takes up of the server's table of locks.
  var lockedObjects: Set<LockedObject> = []
  /// What the statement does with rows, tables that the same transaction makes included.
  var rowWork: [RowWork] = []
  /// What a release that still runs on the previous version stumbles over afterwards.
  public internal(set) var breakages: [ReleaseBreakage] = []
  /// The tables and columns that it is about.
  var places: [StatementPlace] = []
  /// The schema that it makes; none if it makes none.
  public internal(set) var madeSchema: SQLIdentifier?
}

extension PlannedStatement {
  /// Leaves of what may hurt what is known to.
  ///
  /// - Parameters:
  ///   - part: What is known.
  ///   - isFirst: Whether it is the first statement of several for the same, which breaks all that is
  ///     broken.
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
  /// Leaves of what may hurt what is known to.
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
  ///   - schema: The tables that they lead to.
  ///   - hazards: What hurts about each of them; where nobody knows, they may fail as they say.
  /// - Returns: The statements.
  static func statements(
    for operations: [MigrationOperation],
    in schema: DatabaseSchema,
    hazards: StepHazards? = nil
  ) -> [PlannedStatement] {
    var compiler = StatementCompiler(schema, hazards)
    for operation in operations { compiler.add(operation) }
    compiler.flush()
    return compiler.statements
  }

  private init(_ schema: DatabaseSchema, _ hazards: StepHazards?) {
    self.schema = schema
    self.hazards = hazards
  }

  private mutating func add(_ operation: MigrationOperation) {
    let base = operation.base
    newTables.formUnion(base.outcome.madeTables)
    let part = hazards?.operations[position]
    position += 1
    var places = places.places(of: operation)
    if let part { for index in places.indices { places[index].hazards.limit(to: part) } }
    switch base.sql(in: schema.name) {
    case .clauses(let clauses):
      guard !clauses.isEmpty else { return }
      if pending?.table != base.table { flush() }
      pending = (
        base.table, (pending?.clauses ?? []) + clauses, (pending?.reasons ?? []) + [base.summary]
      )
      pendingImpact.formUnion(base.impact)
      pendingObjects.formUnion(base.lockedObjects(in: schema))
      pendingWork += base.rowWork(in: schema).flatMap(\.self)
      pendingPlaces += places
      pendingHazards.formUnion(part)
    case .statements(let texts):
      // What needs no statement keeps none apart.
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
