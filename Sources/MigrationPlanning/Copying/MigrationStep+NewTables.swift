package import SQLSyntax

extension MigrationStep {
  /// A table that a copy makes and that takes the place of none.
  package struct NewTable: Hashable, Sendable {
    /// The table in its place.
    package let name: QualifiedName
    /// The sequences of its columns.
    package let sequences: [QualifiedName]
  }

  /// The tables that are made in the staging schema, where the default privileges of their own schema
  /// do not hold, and that get no privileges from a table before them.
  package var newTables: [NewTable] {
    let schema = destination.projection.schema
    let heirs = Set(replacements.map { $0.tables.values.map(\.name) } ?? [])
    return operations.compactMap { operation in
      guard case .installTable(let installation) = operation,
        installation.stagingSchema != schema.name, !heirs.contains(installation.table)
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
    let names = operations.compactMap { operation -> SQLIdentifier? in
      if case .createTable(let creation) = operation { return creation.table }
      if case .installTable(let installation) = operation { return installation.table }
      if case .renameTable(let rename) = operation { return rename.newName }
      return nil
    }
    return Set(names.filter { known[$0] == nil })
  }

  /// Returns the step with privileges that are granted when all tables are in their places.
  ///
  /// - Parameter grants: The statements, each with what it is on.
  /// - Returns: The step.
  package func granting(_ grants: [(sql: SQLFragment, object: SQLIdentifier)]) -> MigrationStep {
    guard !isInParts else { return self }
    var step = self
    step.statements += grants.map { grant in
      PlannedStatement(
        sql: grant.sql,
        reason: "grant the default privileges on \"\(grant.object)\"",
        impact: OperationImpact()
      )
    }
    return step
  }
}
