public import SQLSyntax

/// The locks and the effects of an operation, as measured on the supported versions.
public struct OperationImpact: Hashable, Sendable {
  /// The strongest lock on each table.
  ///
  /// It leaves out ROW SHARE on tables that the foreign keys of written rows refer to: this lock
  /// blocks neither readers nor writers.
  public var locks: [SQLIdentifier: LockMode]
  /// The rewritten tables.
  public var rewrites: Set<SQLIdentifier>
  /// The tables whose rows are all read, in a scan or one by one through an index.
  ///
  /// Lookups for foreign keys do not count. If an index may spare the server some of the rows, this
  /// is an upper bound.
  public var scans: Set<SQLIdentifier>
  /// Further hazards.
  public var hazards: Set<Hazard>

  init(
    locks: [SQLIdentifier: LockMode] = [:],
    rewrites: Set<SQLIdentifier> = [],
    scans: Set<SQLIdentifier> = [],
    hazards: Set<Hazard> = []
  ) {
    self.locks = locks
    self.rewrites = rewrites
    self.scans = scans
    self.hazards = hazards
  }

  static func accessExclusive(_ table: SQLIdentifier, _ hazards: Hazard...) -> OperationImpact {
    OperationImpact(locks: [table: .accessExclusive], hazards: Set(hazards))
  }

  mutating func formUnion(_ other: OperationImpact) {
    locks.merge(other.locks, uniquingKeysWith: max)
    rewrites.formUnion(other.rewrites)
    scans.formUnion(other.scans)
    hazards.formUnion(other.hazards)
  }

  /// Leaves out tables created in the same transaction, which no other session sees.
  mutating func disregard(_ newTables: Set<SQLIdentifier>) {
    locks = locks.filter { !newTables.contains($0.key) }
    // Of the two, the new tables are the many.
    rewrites = rewrites.filter { !newTables.contains($0) }
    scans = scans.filter { !newTables.contains($0) }
    if locks.isEmpty { hazards.remove(.failsOnData) }
  }

  /// The hazards, those that follow from locks, scans and rewrites of tables of any size included.
  package var allHazards: [Hazard] { hazards { _ in false } }

  /// Returns the hazards, including those that follow from locks, scans and rewrites; work on a
  /// small table takes no time.
  ///
  /// - Parameter isSmall: Returns whether a table is known to be small.
  /// - Returns: The hazards, in order.
  func hazards(_ isSmall: (SQLIdentifier) -> Bool) -> [Hazard] {
    var all = hazards
    let rewrites = rewrites.filter { !isSmall($0) }
    let scans = scans.filter { !isSmall($0) }
    if !rewrites.isEmpty { all.insert(.rewritesTable) }
    if !scans.isEmpty { all.insert(.scansTable) }
    // A lock is only a hazard during long work.
    if !rewrites.isEmpty || !scans.isEmpty {
      for lock in locks.values {
        if lock >= .share { all.insert(.blocksWrites) }
        if lock == .accessExclusive { all.insert(.blocksReads) }
      }
    }
    return all.sorted()
  }
}

extension OperationImpact {
  /// The reading of every table that is read from end to end.
  func reading(in schema: SQLIdentifier) -> [RowWork] {
    scans.sorted().map { .read(QualifiedName(schema: schema, name: $0)) }
  }
  /// The changing of the rows of a table, for which others are read.
  func changing(_ table: SQLIdentifier, in schema: SQLIdentifier) -> [[RowWork]] {
    let name = QualifiedName(schema: schema, name: table)
    return [reading(in: schema).filter { $0 != .read(name) } + [.change(name)]]
  }
}
