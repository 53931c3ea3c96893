internal import SQLSyntax

/// The common properties of operations.
///
/// Names are those when the operation begins: tables and columns are renamed before all other
/// changes, so all later operations use the destination's names.
protocol SchemaOperation: Hashable, Sendable {
  /// The table that it works on.
  var table: SQLIdentifier { get }
  /// A summary in a line, in PostgreSQL's words.
  var summary: String { get }
  /// Which of several operations that could all come next does.
  var rank: OperationRank { get }
  /// The operations that have to run before it and after it.
  var dependencies: OperationDependencies { get }
  /// Which rights it needs, and where it applies.
  var traits: OperationTraits { get }
  /// The effect of its queries on the rows of tables.
  var rowChange: RowChange { get }
  /// Its locks and effects.
  var impact: OperationImpact { get }
  /// Returns the locks and effects of one of its statements, if they differ.
  func impact(ofStatement index: Int) -> OperationImpact
  /// A Boolean value that indicates whether the tables that it locks have their old names still.
  var speaksOldNames: Bool { get }
  /// Returns the objects that it locks besides the tables.
  ///
  /// - Parameter schema: The tables of the destination.
  /// - Returns: The objects, each of which takes an entry in the server's lock table.
  func lockedParts(in schema: DatabaseSchema) -> Set<LockedObject>
  /// The sequences that it renames or drops, among other relations.
  ///
  /// They are locked with the tables: a writer that has a value of one would otherwise wait for
  /// the table while the operation waits for the sequence.
  var replacedSequences: Set<SQLIdentifier> { get }
  /// Returns the row work of each of its statements; last ones without any may be left out.
  ///
  /// - Parameter schema: The tables of the destination, in the schema of the operation.
  /// - Returns: The work of each statement.
  func rowWork(in schema: DatabaseSchema) -> [[RowWork]]
  /// The parts of its table that it changes.
  var subjects: [OperationSubject] { get }
  /// What it deletes for good, of its only subject.
  var loss: OperationLoss? { get }
  /// The changes of tables and columns.
  var outcome: OperationOutcome { get }
  /// Its effect on dependent objects of the table.
  var dependentBreakage: DependentBreakage { get }
  /// The dependent object that it creates again.
  var remadeDependent: DependentObject? { get }
  /// Returns how well it explains a finding about a release, the best with 0; `nil` if it does not.
  func relevance(to finding: ReleaseComparison.Finding) -> Int?
  /// Returns whether the rows may not allow it, where it may fail by rows at all.
  func mayFail(_ risks: RowRisks, at places: [StatementPlace]) -> Bool
  /// Returns whether it can be applied to a table before the table is in place.
  ///
  /// - Parameter copied: The tables that are created at the same time.
  /// - Returns: Whether it can.
  func completesTable(among copied: Set<SQLIdentifier>) -> Bool
  /// Returns the part for the transaction and the deferred part, which runs while others read and
  /// write.
  func divided(by changes: OnlineChanges) -> OnlineChanges.Division?
  func sql(in schema: SQLIdentifier) -> OperationSQL
  /// Applies the SQL to a schema value.
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
  var replacedSequences: Set<SQLIdentifier> { [] }
  func rowWork(in schema: DatabaseSchema) -> [[RowWork]] {
    let rewrites = impact.rewrites.sorted().map { RowWork.rewrite(schema.qualified($0)) }
    return [rewrites.isEmpty ? impact.reading(in: schema.name) : rewrites]
  }
  var subjects: [OperationSubject] { [OperationSubject()] }
  var loss: OperationLoss? { nil }
  var outcome: OperationOutcome { OperationOutcome() }
  // The server itself refuses operations that would break others, except for triggers.
  var dependentBreakage: DependentBreakage { rowChange == .none ? .none : .rowsChange }
  var remadeDependent: DependentObject? { nil }
  // A finding without an explanation is reported for an operation on the same table.
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
}

/// Which of several operations that could all come next does: names first, then tables, values,
/// alterations table by table, indexes, triggers.
enum OperationRank: Int, Comparable {
  /// Objects outside of the model are dropped before renames.
  case dependentDrops
  case earlyDrops, names, newTables, values
  case alterations
  /// Indexes are dropped before rows are put back.
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
  /// It creates a relation or a function in the schema, or renames one.
  static let makesObjects = Self(rawValue: 2)
  /// It creates a function in PL/pgSQL.
  static let makesFunctions = Self(rawValue: 4)
  /// Its effect on the rows of a table depends on that table alone, so that a copy of the table has
  /// the same rows.
  static let staysInTable = Self(rawValue: 8)
  /// It also applies to new tables, even if all of them are created beside their sources.
  static let appliesToNewTables = Self(rawValue: 16)
}

/// The effect of an operation's queries on rows.
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
  /// They put back retained objects, or cut links to removed ones.
  case returns

  /// A Boolean value that indicates whether rows or links leave their places.
  var movesRows: Bool { self == .rows || self == .links }
}

/// The changes of tables and columns by an operation.
struct OperationOutcome {
  /// The tables that it creates.
  var madeTables: Set<SQLIdentifier> = []
  /// The tables that get rows.
  var filledTables: Set<SQLIdentifier> = []
  /// Whether its table is no longer one of the version's.
  var removesTable = false
  /// The column that its table gets, if that was not there under another name.
  var addedColumn: SQLIdentifier?
  /// The columns of its table that get values which were elsewhere.
  var writtenColumns: [SQLIdentifier] = []
  var indexedColumns: [SQLIdentifier] = []
  /// The column that has no NOT NULL constraint afterwards but that of the version.
  var settledNotNull: SQLIdentifier?
  /// The object that it retains, in words.
  var retention: String?
}

enum OperationSQL: Hashable, Sendable {
  /// One part of an ALTER TABLE, which others of the same table can share.
  case clauses([SQLFragment])
  /// Statements of their own.
  case statements([SQLFragment])
}
