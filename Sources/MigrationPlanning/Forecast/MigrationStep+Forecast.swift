package import SQLSyntax

/// Statements of a step that run in one transaction.
struct ForecastTransaction {
  /// The statements, by their places in ``MigrationStep/allStatements``.
  var statements: Range<Int>
  /// The tables locked before them.
  var lockedTables: [MigrationStep.LockedTable] = []
  /// The duration of the work under these locks before the statements.
  var secondsBefore = 0.0
  /// Whether preconditions are checked after that.
  var asksRows = false
  /// Whether writers of the tables that it locks are turned away until the next one ends.
  var turnsWritersAway = false
}

extension MigrationStep {
  /// All statements in the order in which they run, those included that have transactions of their own.
  public var allStatements: [PlannedStatement] {
    copyStatements + statements + settlingStatements
  }

  /// The number of ``allStatements``.
  package var statementCount: Int {
    copyStatements.count + statements.count + settlingStatements.count
  }

  /// The remaining tables that the end of a copy scans or rewrites under its locks.
  package var tablesAtEnd: [SQLIdentifier] {
    guard isCopyJob else { return [] }
    return statements.reduce(into: Set()) {
      $0.formUnion($1.impact.scans.union($1.impact.rewrites))
    }.sorted()
  }

  /// The transactions of the step in their order.
  var forecastTransactions: [ForecastTransaction] {
    let copied = copyStatements.count
    let turnsAway = strategy == .gated && copied > 0
    let copying = (0..<copied).map {
      ForecastTransaction(statements: $0..<$0 + 1, turnsWritersAway: turnsAway)
    }
    let own = transactions.enumerated().map { index, range in
      ForecastTransaction(
        statements: range.lowerBound + copied..<range.upperBound + copied,
        lockedTables: index == 0 ? lockedTables : [],
        secondsBefore: copied > 0 && strategy == .online ? WorkRates.secondsOfLastChanges : 0,
        asksRows: index == 0
      )
    }
    let end = copied + statements.count
    let settling = settlingStatements.indices.map {
      ForecastTransaction(statements: end + $0..<end + $0 + 1)
    }
    return copying + own + settling
  }

  /// The schema that statements speak of where they name a table alone.
  var workingSchema: SQLIdentifier { (source ?? destination).projection.schema.name }
}
