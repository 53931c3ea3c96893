public import SQLSyntax

extension CopyPlan {
  /// Returns for about how many seconds writers wait if all is copied in one transaction.
  ///
  /// It goes by what was measured on a small server with its data in memory: 300,000 rows a second
  /// with keys and indexes, a third of that where rows get new keys. What a policy in code takes
  /// nobody knows; 30,000 rows a second is what their way to it and back takes.
  ///
  /// - Parameter rows: Returns the rows of a table of the source; `nil` if nobody knows.
  /// - Returns: The seconds.
  public func estimatedSeconds(rows: (SQLIdentifier) -> Int?) -> Double {
    let known = sources.compactMap { rows($0.table) }
    func count(_ table: SQLIdentifier) -> Double { Double(rows(table) ?? known.max() ?? 0) }
    var seconds = 0.0
    for map in maps { seconds += count(map.source) / 150_000 }
    for passage in passages { seconds += count(passage.source) / 30_000 }
    for feed in tables.flatMap(\.feeds) {
      let isMapped = feed.domain.schema == stagingSchema
      let source = maps.first { $0.mappingName == feed.mappingName }?.source
      seconds += count(source ?? feed.domain.name) / (isMapped ? 150_000 : 300_000)
    }
    return seconds
  }
}

extension MigrationStep {
  /// The tables that stay and that the end of a copy reads from end to end or writes anew, under its
  /// locks.
  public var tablesAtEnd: [SQLIdentifier] {
    guard isCopyJob else { return [] }
    return statements.reduce(into: Set()) {
      $0.formUnion($1.impact.scans.union($1.impact.rewrites))
    }.sorted()
  }

  /// Returns for about how many seconds the end of a copy works on tables that stay, by what a small
  /// server reads and writes in a second.
  ///
  /// - Parameter rows: Returns the rows of a table; `nil` if nobody knows.
  /// - Returns: The seconds; none if no table is copied in transactions of its own.
  public func estimatedSecondsAtEnd(rows: (SQLIdentifier) -> Int?) -> Double? {
    guard isCopyJob else { return nil }
    return statements.reduce(0) { seconds, statement in
      let scanned = statement.impact.scans.reduce(0) { $0 + (rows($1) ?? 0) }
      let written = statement.impact.rewrites.reduce(0) { $0 + (rows($1) ?? 0) }
      return seconds + Double(scanned) / 2_000_000 + Double(written) / 500_000
    }
  }

  /// The statements that a copy runs in transactions of their own before those of the step: each that
  /// fills a table is run for one range of keys after the other, and those that follow what others
  /// write meanwhile are not among them.
  public var copyStatements: [PlannedStatement] {
    guard let copy, strategy != .locked else { return [] }
    let statements = CopyStatements(copy)
    let watching = copy.sources.flatMap { source in
      (strategy == .online ? statements.capture(of: source) : statements.gate(of: source)).map {
        PlannedStatement(
          sql: $0,
          reason: strategy == .online
            ? "note what changes in table \"\(source.table)\""
            : "turn writers of table \"\(source.table)\" away",
          impact: OperationImpact(locks: [source.table: .shareRowExclusive])
        )
      }
    }
    let settings = copy.carriedParts.filter(\.comesBeforeRows).flatMap(\.statements)
    let parts = copy.carriedParts.filter { !$0.comesBeforeRows }.flatMap(\.statements)
    let all =
      copy.preparation + settings + watching + copy.fillStatements() + copy.completion + parts
      + copy.validations
    return all.map { statement in
      var statement = statement
      statement.phase = .copy
      return statement
    }
  }
}
