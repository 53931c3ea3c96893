internal import SQLSyntax

extension MigrationStep {
  /// The statements that a copy runs in transactions of their own before those of the step: each that
  /// fills a table is run for one range of keys after the other, and those that follow what others
  /// write meanwhile are not among them.
  public var copyStatements: [PlannedStatement] {
    guard let copy, strategy != .locked else { return [] }
    let statements = CopyStatements(copy)
    let watching = copy.sources.flatMap { watchingStatements(of: $0, statements) }
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

  private func watchingStatements(
    of source: CopySource,
    _ statements: CopyStatements
  ) -> [PlannedStatement] {
    let isOnline = strategy == .online
    let texts = isOnline ? statements.capture(of: source) : statements.gate(of: source)
    let reason =
      isOnline
      ? "note what changes in table \"\(source.table)\""
      : "turn writers of table \"\(source.table)\" away"
    return texts.map { text in
      PlannedStatement(
        sql: text,
        reason: reason,
        impact: OperationImpact(locks: [source.table: .shareRowExclusive]),
        places: [StatementPlace(before: StatementPlace.Location(table: source.table))]
      )
    }
  }
}
