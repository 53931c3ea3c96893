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
  public let impact: OperationImpact
  /// The rows that pass through a policy in code, where that is what is done: the statement then only
  /// shows how they are read and written.
  public internal(set) var passage: RowPassage?
  /// When it runs.
  public internal(set) var phase = MigrationPhase.switch
  /// A Boolean value that indicates whether it can run in a transaction.
  public internal(set) var isTransactional = true
  /// A Boolean value that indicates whether people wrote the statement: what is said of it is then the
  /// most that it should take and do.
  public internal(set) var isWritten = false
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

/// Turns operations in their order into statements: one ALTER TABLE for those that can share one.
struct StatementCompiler {
  private let schema: SQLIdentifier
  private let tables: [SQLIdentifier: Table]
  private var newTables: Set<SQLIdentifier> = []
  private var statements: [PlannedStatement] = []
  private var pending: (table: SQLIdentifier, clauses: [SQLFragment], reasons: [String])?
  private var pendingImpact = OperationImpact()
  private var pendingObjects: Set<LockedObject> = []
  private var pendingWork: [RowWork] = []
  private var pendingPlaces: [StatementPlace] = []
  private var pendingBreakages: [ReleaseBreakage] = []
  private var places = StatementPlaces()

  static func statements(
    for operations: [MigrationOperation],
    in schema: DatabaseSchema
  ) -> [PlannedStatement] {
    var compiler = StatementCompiler(schema)
    for operation in operations { compiler.add(operation) }
    compiler.flush()
    return compiler.statements
  }

  private init(_ schema: DatabaseSchema) {
    self.schema = schema.name
    tables = schema.tables
  }

  private mutating func add(_ operation: MigrationOperation) {
    let base = operation.base
    if case .createTable = operation { newTables.insert(base.table) }
    if case .installTable = operation { newTables.insert(base.table) }
    if case .retainRows(let retention) = operation { newTables.insert(retention.newTable) }
    let places = places.places(of: operation)
    switch base.sql(in: schema) {
    case .clauses(let clauses):
      guard !clauses.isEmpty else { return }
      if pending?.table != base.table { flush() }
      pending = (
        base.table, (pending?.clauses ?? []) + clauses, (pending?.reasons ?? []) + [base.summary]
      )
      pendingImpact.formUnion(base.impact)
      pendingObjects.formUnion(operation.lockedObjects(tables))
      pendingWork += operation.rowWork(in: schema, tables).flatMap(\.self)
      pendingPlaces += places
      pendingBreakages += base.breakages
    case .statements(let texts):
      // What needs no statement keeps none apart.
      guard !texts.isEmpty else { return }
      flush()
      let objects = operation.lockedObjects(tables)
      let works = operation.rowWork(in: schema, tables)
      for (index, text) in texts.enumerated() {
        append(
          text,
          base.summary,
          base.impact(ofStatement: index),
          objects,
          works.indices.contains(index) ? works[index] : [],
          places,
          base.breakages,
          isWritten: operation.isOfDependent
        )
      }
    }
  }

  private mutating func flush() {
    guard let (table, clauses, reasons) = pending else { return }
    pending = nil
    let name = QualifiedName(schema: schema, name: table)
    let body = clauses.joined(separator: ",\n  ")
    let separator: SQLFragment = clauses.count == 1 ? " " : "\n  "
    append(
      "ALTER TABLE \(name)\(separator)\(body)",
      reasons.joined(separator: "; "),
      pendingImpact,
      pendingObjects,
      RowWork.merged(pendingWork),
      pendingPlaces,
      pendingBreakages
    )
    pendingImpact = OperationImpact()
    pendingObjects = []
    pendingWork = []
    pendingPlaces = []
    pendingBreakages = []
  }

  private mutating func append(
    _ sql: SQLFragment,
    _ reason: String,
    _ impact: OperationImpact,
    _ objects: Set<LockedObject>,
    _ work: [RowWork],
    _ places: [StatementPlace],
    _ breakages: [ReleaseBreakage],
    isWritten: Bool = false
  ) {
    var impact = impact
    impact.disregard(newTables)
    statements.append(
      PlannedStatement(
        sql: sql,
        reason: reason,
        impact: impact,
        isWritten: isWritten,
        lockedObjects: objects,
        rowWork: work,
        breakages: impact.hazards.contains(.breaksPreviousRelease) ? breakages : [],
        places: places
      )
    )
  }
}

extension MigrationOperation {
  /// A Boolean value that indicates whether it makes something of people's again, of which one statement
  /// takes more than another.
  fileprivate var isOfDependent: Bool {
    if case .createDependent = self { true } else { false }
  }
}
