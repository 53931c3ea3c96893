public import MigrationPlanning
public import SQLSyntax

/// The forecast impact of a statement next to the measured one.
public struct ImpactComparison: Hashable, Sendable {
  /// A difference from the forecast.
  public enum Difference: Hashable, Sendable {
    /// Another lock, where there is one at all.
    case lock(QualifiedName, predicted: LockMode?, measured: LockMode?)
    /// A table that was rewritten against the prediction, or was not.
    case rewrite(QualifiedName, isMeasured: Bool)
    /// A table that was scanned against the forecast.
    case scan(QualifiedName)
  }

  /// The comparison of the forecast with the measurement.
  public enum Verdict: String, Hashable, Sendable {
    case equal
    /// Everything is as forecast, except that the server had less to do: an index spared it rows,
    /// or there were none.
    case less
    case different
  }

  /// The strongest lock on each table, as measured.
  public let locks: [QualifiedName: LockMode]
  /// The tables that were rewritten.
  public let rewrites: Set<QualifiedName>
  /// The tables that were read from end to end, or row by row as a whole.
  public let scans: Set<QualifiedName>
  /// The tables with a forecast scan that were not read as a whole.
  public let sparedScans: Set<QualifiedName>
  /// The tables that were locked in a weaker mode than forecast or not at all, because no row had
  /// to be written, or because the statement is authored SQL.
  public let sparedLocks: Set<QualifiedName>
  /// The differences from the forecast.
  public let differences: [Difference]

  /// The result of the comparison.
  public var verdict: Verdict {
    if !differences.isEmpty { return .different }
    return sparedScans.isEmpty && sparedLocks.isEmpty ? .equal : .less
  }

  /// Compares the forecast of a statement with its measurement.
  ///
  /// - Parameters:
  ///   - statement: The statement with its forecast, with unqualified names of tables.
  ///   - schema: The schema of the tables.
  ///   - measured: The measurement.
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
    // Rows that foreign keys refer to are looked up and locked one by one, which blocks neither
    // readers nor writers and is not forecast.
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
