public import SQLSyntax

/// A foreign key from or to a table that is made anew, which is added when the tables come to their
/// places and validated afterwards, while others read and write.
///
/// That its rows refer to rows that there are is asked before: at first of all of them, then of those
/// that change.
public struct LateReference: Hashable, Sendable {
  /// The table that has the key, under the name that it has in the end.
  public var table: SQLIdentifier
  /// The name of the constraint.
  public var constraint: SQLIdentifier
  /// The table that it refers to, under the name that it has in the end.
  public var referencedTable: SQLIdentifier
  /// Where the rows are until then; none if there are none, or they refer to nothing.
  public var rows: Rows?

  /// Rows that refer to others.
  public struct Rows: Hashable, Sendable {
    /// The table that they are in.
    public var table: QualifiedName
    /// The column that refers.
    public var column: SQLIdentifier
    /// Their primary key.
    public var key: [SQLIdentifier]
    /// The table that they refer to.
    public var referenced: QualifiedName
    /// The key of that table.
    public var referencedKey: SQLIdentifier
  }

  /// The statement that looks at the rows.
  func validation(in schema: SQLIdentifier) -> PlannedStatement {
    PlannedStatement(
      sql: Self.validation(of: constraint, of: QualifiedName(schema: schema, name: table)),
      reason: "validate constraint \"\(constraint)\" of table \"\(table)\"",
      impact: OperationImpact(
        locks: Dictionary(
          [(referencedTable, LockMode.rowShare), (table, .shareUpdateExclusive)],
          uniquingKeysWith: max
        ),
        scans: [table, referencedTable]
      ),
      rowWork: [
        .checkReferences(
          from: QualifiedName(schema: schema, name: table),
          to: QualifiedName(schema: schema, name: referencedTable)
        )
      ]
    )
  }

  /// Returns the statement that looks at the rows that a constraint was not asked of yet.
  package static func validation(
    of constraint: SQLIdentifier,
    of table: QualifiedName
  ) -> SQLFragment {
    "ALTER TABLE \(table) VALIDATE CONSTRAINT \(constraint)"
  }
}

/// Something that a table which is made gets from the one that it takes the place of: an index of
/// somebody's, how its rows are stored.
///
/// It is made before the table takes its place, and made anew where it changes meanwhile.
public struct CarriedPart: Hashable, Sendable {
  /// The statements that make it.
  public var statements: [PlannedStatement]
  /// The statements that undo them; none if that cannot be done.
  public var removal: [SQLFragment]
  /// A Boolean value that indicates whether it is made before there are rows.
  public var comesBeforeRows: Bool
}
