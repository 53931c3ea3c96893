package import SQLSyntax

/// A table that a copy had filled when a step ended.
package struct MadeTable: Hashable, Sendable {
  /// The table.
  package let name: SQLIdentifier
  /// The transaction in which the step ended.
  package let transaction: String
  /// The snapshot at the end of that transaction.
  package let snapshot: String
  /// How many rows there were; none if they were not counted.
  package let rowCount: Int?
  /// A Boolean value that indicates whether an authored mapping model filled it.
  package let isAuthored: Bool
  /// A Boolean value that indicates whether later writes are still detectable.
  package var isTold: Bool

  /// Creates a record of a table.
  package init(
    name: SQLIdentifier,
    transaction: String,
    snapshot: String,
    rowCount: Int?,
    isAuthored: Bool,
    isTold: Bool
  ) {
    self.name = name
    self.transaction = transaction
    self.snapshot = snapshot
    self.rowCount = rowCount
    self.isAuthored = isAuthored
    self.isTold = isTold
  }
}

/// The preconditions of a step on tables that a mapping model has filled, since their rows are left
/// behind.
extension MadeTable {
  /// Returns a query that counts the rows which were written since.
  ///
  /// A row is as it was if the transaction that wrote it had ended for the step, or is the step's own.
  /// Rows have the lower half of its number: of all numbers that end so, it is the one nearest to those
  /// of the step.
  func written(_ table: QualifiedName, key: SQLIdentifier) -> SQLFragment {
    let own = SQLLiteral.typed(transaction, "xid8")
    let seen = SQLLiteral.typed(snapshot, "pg_snapshot")
    let number: SQLFragment = """
      (\(own)::text::numeric + ((xmin::text::numeric - \(own)::text::numeric + 2147483648) % \
      4294967296 + 4294967296) % 4294967296 - 2147483648)
      """
    return Rows(table: table, key: key, membership: nil).offending(
      """
      xmin::text::bigint > 2 AND \(number) >= 3 \
      AND NOT pg_visible_in_snapshot(\(number)::text::xid8, \(seen)) AND \(number)::text::xid8 <> \(own)
      """
    )
  }

  /// Returns a query that counts the rows which were deleted since, at least.
  func deleted(_ table: QualifiedName) -> SQLFragment {
    """
    SELECT greatest(0, \(SQLLiteral.integer(Int64(rowCount ?? 0))) - count(*)) AS count, '' AS keys \
    FROM \(table)
    """
  }
}

extension MigrationStep {
  /// Returns the step with the precondition, checked at its beginning and again under the locks,
  /// that nothing was written to tables that a mapping model filled and that the step leaves
  /// behind.
  package func asking(_ made: [MadeTable]) -> MigrationStep {
    var step = self
    for table in made where leaves(table.name) {
      guard let questions = questions(of: table) else { continue }
      let queries =
        [("written", questions.written)]
        + (table.rowCount == nil ? [] : [("deleted", questions.deleted)])
      step.preconditions += queries.map { word, query in
        PlannedPrecondition(
          requirement: "table \"\(table.name)\" is left behind, so no rows of it may have been "
            + "\(word) since the migration",
          remedy: "Allow it with --allow deletes-data, or write a reverting mapping model.",
          entityName: table.name.name,
          propertyName: nil,
          coreDataError: 134_110,
          failsSilently: true,
          query: query
        )
      }
    }
    return step
  }

  /// Returns the preconditions that detect rows written to a table or deleted from it; `nil` if the
  /// step does not have the table.
  package func questions(
    of table: MadeTable
  ) -> (written: SQLFragment, deleted: SQLFragment)? {
    guard let schema = source?.projection.schema,
      let key = schema.tables[table.name]?.constraints.first(where: \.isPrimaryKey)?.columns.first
    else { return nil }
    let name = schema.qualified(table.name)
    return (table.written(name, key: key), table.deleted(name))
  }
}
