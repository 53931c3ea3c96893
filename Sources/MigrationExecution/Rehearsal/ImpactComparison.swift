public import MigrationPlanning
public import SQLSyntax

/// What a statement was said to take and do, next to what it took and did.
public struct ImpactComparison: Hashable, Sendable {
  /// Something that is not as it was said.
  public enum Difference: Hashable, Sendable {
    /// Another lock, where there is one at all.
    case lock(QualifiedName, predicted: LockMode?, measured: LockMode?)
    /// A table that was rewritten against the prediction, or was not.
    case rewrite(QualifiedName, isMeasured: Bool)
    /// A table that is read from end to end and was not said to be.
    case scan(QualifiedName)
  }

  /// How what was said compares with what was measured.
  public enum Verdict: String, Hashable, Sendable {
    case equal
    /// All is as was said, but that the server had less to do: an index spared it rows, or there were
    /// none.
    case less
    case different
  }

  /// The strongest lock on each table, as measured.
  public let locks: [QualifiedName: LockMode]
  /// The tables that were rewritten.
  public let rewrites: Set<QualifiedName>
  /// The tables that were read from end to end, or row by row as a whole.
  public let scans: Set<QualifiedName>
  /// The tables of which it was said that they are read, and that were not read as a whole.
  public let sparedScans: Set<QualifiedName>
  /// The tables that were locked in a weaker mode than was said or not at all, because no row had to
  /// be written, or because people wrote the statement.
  public let sparedLocks: Set<QualifiedName>
  /// What is not as it was said.
  public let differences: [Difference]

  /// How they compare.
  public var verdict: Verdict {
    if !differences.isEmpty { return .different }
    return sparedScans.isEmpty && sparedLocks.isEmpty ? .equal : .less
  }

  /// Compares.
  ///
  /// - Parameters:
  ///   - statement: The statement with what was said of it, of tables by their names alone.
  ///   - schema: The schema that they are in.
  ///   - measured: What was seen.
  package init(
    _ statement: PlannedStatement,
    in schema: SQLIdentifier,
    _ measured: MeasuredImpact
  ) {
    let predicted = statement.impact
    let name = { QualifiedName(schema: schema, name: $0) }
    let said = Dictionary(
      predicted.locks.map { (name($0.key), $0.value) },
      uniquingKeysWith: max
    )
    // The rows that foreign keys lead to are looked up and locked one by one, which keeps nobody from
    // reading or writing by that, and nothing is said of it.
    let keys = Set(measured.locks.filter { $0.value == .rowShare && said[$0.key] == nil }.keys)
    let locks = measured.locks.filter { !keys.contains($0.key) }
    let predictedScans = Set(predicted.scans.map(name))
    let lookups = measured.lookups.filter { predictedScans.contains($0) }
    let scans = measured.scans.filter { !keys.contains($0) || predictedScans.contains($0) }
      .union(lookups)
    let predictedRewrites = Set(predicted.rewrites.map(name))

    let sparedLocks = said.filter { table, mode in
      if statement.isWritten { return locks[table].map { $0 < mode } ?? true }
      // Foreign keys come to be looked after only where a row is written.
      return !measured.changesRows && mode <= .rowExclusive && locks[table] == nil
    }.keys
    self.sparedLocks = Set(sparedLocks)
    var differences: [Difference] = []
    for table in Set(said.keys).union(locks.keys).subtracting(self.sparedLocks).sorted()
    where said[table] != locks[table] {
      differences.append(.lock(table, predicted: said[table], measured: locks[table]))
    }
    for table in predictedRewrites.symmetricDifference(measured.rewrites).sorted() {
      differences.append(.rewrite(table, isMeasured: measured.rewrites.contains(table)))
    }
    for table in scans.subtracting(predictedScans).sorted() { differences.append(.scan(table)) }
    self.locks = locks
    rewrites = measured.rewrites
    self.scans = scans
    sparedScans = predictedScans.subtracting(scans).subtracting(measured.unmeasured)
    self.differences = differences
  }
}
