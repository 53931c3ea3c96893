public import SQLSyntax

/// What every operation can say about itself.
///
/// Names are those that things have when the operation begins: tables and columns are renamed
/// before all else that happens to them, so everything after speaks of the destination's names.
protocol SchemaOperation: Hashable, Sendable {
  /// The table that it works on.
  var table: SQLIdentifier { get }
  /// What it does, in a line, in PostgreSQL's words.
  var summary: String { get }
  /// What has to come before it and after it.
  var dependencies: OperationDependencies { get }
  /// What it takes and does while it runs.
  var impact: OperationImpact { get }
  /// Returns what one of its statements takes and does, where it has several that differ.
  func impact(ofStatement index: Int) -> OperationImpact
  /// Returns its SQL.
  func sql(in schema: SQLIdentifier) -> OperationSQL
  /// Does to a schema value what the SQL does to a database.
  func apply(to schema: inout DatabaseSchema)
}

extension SchemaOperation {
  func impact(ofStatement index: Int) -> OperationImpact { impact }
}

/// The SQL of an operation.
enum OperationSQL: Hashable, Sendable {
  /// One part of an ALTER TABLE, which others of the same table can share.
  case clauses([SQLFragment])
  /// Statements of their own.
  case statements([SQLFragment])
}

/// What an operation takes and does while it runs, as measured on the served versions.
public struct OperationImpact: Hashable, Sendable {
  /// The strongest lock on each table.
  ///
  /// Left out is ROW SHARE on the tables at the other ends of the foreign keys of rows that are
  /// written: it keeps no one from reading or writing.
  public var locks: [SQLIdentifier: LockMode]
  /// The tables that are written anew.
  public var rewrites: Set<SQLIdentifier>
  /// The tables whose rows are all read, be it from end to end or one by one through an index.
  ///
  /// Rows that are only looked for to keep a foreign key are not meant. Where an index may spare the
  /// server some of the rows, it is the most that it may read.
  public var scans: Set<SQLIdentifier>
  /// What else may hurt.
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

  /// Takes out what concerns tables that are made in the same transaction: nobody else sees them.
  mutating func disregard(_ newTables: Set<SQLIdentifier>) {
    locks = locks.filter { !newTables.contains($0.key) }
    rewrites.subtract(newTables)
    scans.subtract(newTables)
    if locks.isEmpty { hazards.remove(.failsOnData) }
  }

  /// The hazards, those that follow from locks, scans and rewrites of tables of any size included.
  public var allHazards: [Hazard] { hazards { _ in false } }

  /// Returns the hazards, those that follow from locks, scans and rewrites included: what is done to a
  /// small table takes nobody's time.
  ///
  /// - Parameter isSmall: Returns whether a table is known to be small.
  /// - Returns: The hazards, in order.
  func hazards(_ isSmall: (SQLIdentifier) -> Bool) -> [Hazard] {
    var all = hazards
    let rewrites = rewrites.filter { !isSmall($0) }
    let scans = scans.filter { !isSmall($0) }
    if !rewrites.isEmpty { all.insert(.rewritesTable) }
    if !scans.isEmpty { all.insert(.scansTable) }
    // A lock hurts while there is long work to do under it.
    if !rewrites.isEmpty || !scans.isEmpty {
      for lock in locks.values {
        if lock >= .share { all.insert(.blocksWrites) }
        if lock == .accessExclusive { all.insert(.blocksReads) }
      }
    }
    return all.sorted()
  }
}
