package import SQLSyntax

/// The foreign key of a partitioned table, which has none that is not validated: each partition gets its
/// own, which is validated while others write, and in the end the table takes these for its parts.
package struct PartitionedReference: Hashable, Sendable {
  /// The table.
  let table: QualifiedName
  /// The name of the constraint, on the table as on its partitions.
  let constraint: SQLIdentifier

  /// Names a foreign key.
  package init(_ constraint: SQLIdentifier, of table: QualifiedName) {
    self.table = table
    self.constraint = constraint
  }

  /// Returns the statement that adds the constraint to the partitions without a look at the rows.
  ///
  /// - Parameter clause: The constraint.
  /// - Returns: The statement.
  func addition(_ clause: SQLFragment) -> SQLFragment {
    onPartitions("ADD \(clause) NOT VALID", having: "NOT EXISTS")
  }

  /// The statements that validate the constraints of the partitions, and give the table its own; they can be
  /// repeated.
  package var completion: [SQLFragment] {
    let isMissing: SQLFragment = """
      NOT EXISTS (SELECT FROM pg_constraint WHERE conname = \(text: constraint.name)
          AND conrelid = to_regclass(\(text: table.quoted)))
      """
    let body: SQLFragment = """

      DECLARE
        definition text;
      BEGIN
        SELECT pg_get_constraintdef(k.oid) INTO definition FROM pg_partition_tree(to_regclass(\(text: table.quoted))) p
          JOIN pg_constraint k ON k.conrelid = p.relid AND k.conname = \(text: constraint.name)
          WHERE p.isleaf LIMIT 1;
        IF definition IS NOT NULL AND \(isMissing) THEN
          EXECUTE format('ALTER TABLE %s ADD CONSTRAINT %s %s', \(text: table.quoted),
            \(text: constraint.quoted), definition);
        END IF;
      END

      """
    return [
      onPartitions(
        "VALIDATE CONSTRAINT \(constraint)",
        having: "EXISTS",
        " AND NOT k.convalidated"
      ),
      "DO \(body.dollarQuoted)",
    ]
  }

  /// Returns a statement that alters each partition which has such a constraint `k`, or has none.
  private func onPartitions(
    _ clause: SQLFragment,
    having: SQLFragment,
    _ condition: SQLFragment = ""
  ) -> SQLFragment {
    PartitionLoop(
      table: table,
      condition: """
        p.isleaf AND \(having) (SELECT FROM pg_constraint AS k WHERE k.conrelid = p.relid
              AND k.conname = \(text: constraint.name)\(condition))
        """,
      statements: [("ALTER TABLE ", " \(clause)")]
    ).sql
  }
}
