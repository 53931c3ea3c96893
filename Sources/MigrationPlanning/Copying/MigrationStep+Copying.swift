package import SQLSyntax

extension MigrationStep {
  /// The statements that a copy runs in transactions of their own before those of the step.
  ///
  /// Each statement that fills a table runs for one range of keys after the other. Statements that
  /// apply concurrent changes are not included.
  package var copyStatements: [PlannedStatement] {
    guard let copy, strategy != .locked else { return [] }
    let watching =
      strategy == .filled ? [] : copy.sources.flatMap { watchingStatements(of: $0, copy) }
    let settings = copy.carriedParts.filter(\.comesBeforeRows).flatMap(\.statements)
    let parts = copy.carriedParts.filter { !$0.comesBeforeRows }.flatMap(\.statements)
    let all =
      copy.preparation + settings + watching + copy.fillStatements + copy.completion + parts
      + copy.validations
    return all.map { statement in
      var statement = statement
      statement.phase = .copy
      return statement
    }
  }

  private func watchingStatements(
    of source: CopySource,
    _ copy: CopyPlan
  ) -> [PlannedStatement] {
    let isOnline = strategy == .online
    let texts = SourceGuard(of: source, in: copy).installation(isOnline: isOnline)
    let reason =
      isOnline
      ? "note what changes in table \"\(source.table)\""
      : "turn writers of table \"\(source.table)\" away"
    return texts.map { text in
      // Its triggers lock the table, but not the queue and the functions that they need.
      let locksTable = text.relations(in: copy.schema).contains(source.table)
      return PlannedStatement(
        sql: text,
        reason: reason,
        impact: OperationImpact(locks: locksTable ? [source.table: .shareRowExclusive] : [:]),
        places: [StatementPlace(before: StatementPlace.Location(table: source.table))]
      )
    }
  }
}

extension MigrationStep {
  /// A table that a copy creates and that replaces none.
  package struct NewTable: Hashable, Sendable {
    /// The table in its place.
    package let name: QualifiedName
    /// The sequences of its columns.
    package let sequences: [QualifiedName]
  }

  /// The tables created in the staging schema, where the default privileges of their own schema do
  /// not apply, and that replace no table with privileges.
  package var newTables: [NewTable] {
    let schema = destination.projection.schema
    let heirs = Set(replacements.map { $0.tables.values.map(\.name) } ?? [])
    return operations.compactMap { operation in
      guard case .installTable(let installation) = operation,
        installation.staged.schema != schema.name, !heirs.contains(installation.table)
      else { return nil }
      return NewTable(
        name: schema.qualified(installation.table),
        sequences: installation.contents.columns.compactMap(\.identitySequence)
          .map(schema.qualified)
      )
    }
  }

  /// The names that tables get which the source does not have.
  package var newTableNames: Set<SQLIdentifier> {
    let known = source?.projection.schema.tables ?? [:]
    let renamed = operations.compactMap(\.rename).filter { $0.kind == .table }.map(\.newName)
    return operations.reduce(into: Set(renamed)) { $0.formUnion($1.base.outcome.madeTables) }
      .filter { known[$0] == nil }
  }

  /// Returns the step with privileges that are granted when all tables are in place.
  ///
  /// - Parameter grants: The statements, each with its object.
  /// - Returns: The step.
  package func granting(_ grants: [(sql: SQLFragment, object: SQLIdentifier)]) -> MigrationStep {
    guard !isInParts else { return self }
    var step = self
    step.statements += grants.map { grant in
      PlannedStatement(
        sql: grant.sql,
        reason: "grant privileges on \"\(grant.object)\"",
        impact: OperationImpact()
      )
    }
    return step
  }
}
