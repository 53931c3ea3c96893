internal import SQLSyntax

/// What every operation says about itself.
///
/// Names are those that things have when the operation begins: tables and columns are renamed
/// before all else that happens to them, so everything after speaks of the destination's names.
protocol SchemaOperation: Hashable, Sendable {
  /// The table that it works on.
  var table: SQLIdentifier { get }
  /// What it does, in a line, in PostgreSQL's words.
  var summary: String { get }
  /// Which of several operations that could all come next does.
  var rank: OperationRank { get }
  /// What has to come before it and after it.
  var dependencies: OperationDependencies { get }
  /// Which rights it needs, and where it applies.
  var traits: OperationTraits { get }
  /// What it does to the rows of tables by queries.
  var rowChange: RowChange { get }
  /// What it takes and does while it runs.
  var impact: OperationImpact { get }
  /// Returns what one of its statements takes and does, where it has several that differ.
  func impact(ofStatement index: Int) -> OperationImpact
  /// A Boolean value that indicates whether the tables that it locks have their old names still.
  var speaksOldNames: Bool { get }
  /// Returns what it locks besides the tables.
  ///
  /// - Parameter schema: The tables of the version that it leads to.
  /// - Returns: The objects, each of which takes a place among the server's locks.
  func lockedParts(in schema: DatabaseSchema) -> Set<LockedObject>
  /// Returns what each of its statements does with rows; the last ones may be left out if they do nothing.
  ///
  /// - Parameter schema: The tables of the version that it leads to, under the schema that it works in.
  /// - Returns: The work of each statement.
  func rowWork(in schema: DatabaseSchema) -> [[RowWork]]
  /// What of its table it is about.
  var subjects: [OperationSubject] { get }
  /// What becomes of tables and columns.
  var outcome: OperationOutcome { get }
  /// What it does to objects that others have on the table.
  var dependentBreakage: DependentBreakage { get }
  /// The dependent object that it makes again.
  var remadeDependent: DependentObject? { get }
  /// Returns how well it explains what a release stumbles over, the best with 0; none if it does not.
  func relevance(to finding: ReleaseComparison.Finding) -> Int?
  /// Returns whether the rows may not allow it, where it may fail by rows at all.
  func mayFail(_ risks: RowRisks, at places: [StatementPlace]) -> Bool
  /// Returns whether a table can have it before the table is in its place.
  ///
  /// - Parameter copied: The tables that are made at the same time.
  /// - Returns: Whether it can.
  func completesTable(among copied: Set<SQLIdentifier>) -> Bool
  /// Returns what of it has to be done at once, and what can be done later, while others read and write.
  func divided(by changes: OnlineChanges) -> OnlineChanges.Division?
  /// Returns its SQL.
  func sql(in schema: SQLIdentifier) -> OperationSQL
  /// Does to a schema value what the SQL does to a database.
  func apply(to schema: inout DatabaseSchema)
}

// Each of these errs on the side of caution: it takes more for locked, read, broken, empty or at risk.
extension SchemaOperation {
  var rowChange: RowChange { .none }
  func impact(ofStatement index: Int) -> OperationImpact { impact }
  var speaksOldNames: Bool { rank < .names }
  func lockedParts(in schema: DatabaseSchema) -> Set<LockedObject> {
    Set(impact.locks.keys.compactMap { schema.tables[$0] }.flatMap(\.lockedParts))
  }
  func rowWork(in schema: DatabaseSchema) -> [[RowWork]] {
    let rewrites = impact.rewrites.sorted().map { RowWork.rewrite(schema.qualified($0)) }
    return [rewrites.isEmpty ? impact.reading(in: schema.name) : rewrites]
  }
  var subjects: [OperationSubject] { [OperationSubject()] }
  var outcome: OperationOutcome { OperationOutcome() }
  // The server itself refuses what would break others, but for triggers that rows set off.
  var dependentBreakage: DependentBreakage { rowChange == .none ? .none : .rowsChange }
  var remadeDependent: DependentObject? { nil }
  // What nothing explains is said of an operation on the same table.
  func relevance(to finding: ReleaseComparison.Finding) -> Int? { nil }
  func mayFail(_ risks: RowRisks, at places: [StatementPlace]) -> Bool { true }
  func completesTable(among copied: Set<SQLIdentifier>) -> Bool { false }
  func divided(by changes: OnlineChanges) -> OnlineChanges.Division? { nil }
}

extension SchemaOperation {
  /// A Boolean value that indicates whether it is about an object of others.
  var isOfDependent: Bool { rank == .dependentDrops || rank == .dependentCreations }

  /// Returns everything that it locks.
  func lockedObjects(in schema: DatabaseSchema) -> Set<LockedObject> {
    lockedParts(in: schema).union(impact.locks.keys.map { .relation($0) })
  }

  /// Returns the making of an index, as work on rows.
  func indexing(_ columns: [SQLIdentifier], in schema: DatabaseSchema) -> RowWork {
    let types = columns.compactMap { schema.tables[table]?.column($0)?.type }
    return .index(schema.qualified(table), columns: types)
  }
}

/// Which of several operations that could all come next does: names first, then tables, values,
/// alterations table by table, indexes, triggers.
enum OperationRank: Int, Comparable {
  /// What is not ours is dropped before anything is renamed.
  case dependentDrops
  case earlyDrops, names, newTables, values
  case alterations
  /// What leaves tables is off them before rows are put back.
  case indexes
  case triggers, tableDrops
  case dependentCreations

  static func < (first: Self, second: Self) -> Bool { first.rawValue < second.rawValue }
}

/// Which rights an operation needs, and where it applies.
struct OperationTraits: OptionSet {
  let rawValue: Int

  /// A right that was granted on the table is not enough.
  static let needsOwnership = Self(rawValue: 1)
  /// It makes a relation or a function in the schema, or gives one another name.
  static let makesObjects = Self(rawValue: 2)
  /// It makes a function in PL/pgSQL.
  static let makesFunctions = Self(rawValue: 4)
  /// What it does to the rows of a table follows from that table alone, so that a copy of the table
  /// has the same rows.
  static let staysInTable = Self(rawValue: 8)
  /// Tables that are made get it, also where all of them are made beside their sources.
  static let appliesToNewTables = Self(rawValue: 16)
}

/// What queries of an operation do to rows.
enum RowChange {
  case none
  /// They write values that follow from the row.
  case values
  /// They write values that follow from other rows.
  case derivedValues
  /// They copy or delete rows.
  case rows
  /// They move or cut links.
  case links
  /// They put back what was retained, or cut links to what has gone.
  case returns

  /// A Boolean value that indicates whether rows or links leave their places.
  var movesRows: Bool { self == .rows || self == .links }
}

/// What becomes of tables and columns by an operation.
struct OperationOutcome {
  /// The tables that it makes.
  var madeTables: Set<SQLIdentifier> = []
  /// The tables that get rows.
  var filledTables: Set<SQLIdentifier> = []
  /// Whether its table is no longer one of the version's.
  var removesTable = false
  /// The column that its table gets, if that was not there under another name.
  var addedColumn: SQLIdentifier?
  /// The columns of its table that get values which were elsewhere.
  var writtenColumns: [SQLIdentifier] = []
  /// The columns that it makes an index of.
  var indexedColumns: [SQLIdentifier] = []
  /// The column that has no NOT NULL constraint afterwards but that of the version.
  var settledNotNull: SQLIdentifier?
  /// What it retains, in words.
  var retention: String?
}

/// The SQL of an operation.
enum OperationSQL: Hashable, Sendable {
  /// One part of an ALTER TABLE, which others of the same table can share.
  case clauses([SQLFragment])
  /// Statements of their own.
  case statements([SQLFragment])
}
