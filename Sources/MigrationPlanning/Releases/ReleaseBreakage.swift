public import SQLSyntax

/// A change that breaks a release on the previous version after a step.
///
/// Tables and columns have the names of that release.
public enum ReleaseBreakage: Hashable, Sendable {
  /// A table has another name.
  case tableRenamed(SQLIdentifier, to: SQLIdentifier)
  /// A table is removed.
  case tableDropped(SQLIdentifier)
  /// A column has another name.
  case columnRenamed(SQLIdentifier, to: SQLIdentifier, table: SQLIdentifier)
  /// A column is removed.
  case columnDropped(SQLIdentifier, table: SQLIdentifier)
  /// A column has values of another type.
  case typeChanged(SQLIdentifier, table: SQLIdentifier, from: SQLTypeName, to: SQLTypeName)
  /// A column has to have a value.
  case valueRequired(SQLIdentifier, table: SQLIdentifier)
  /// The server computes the values of a column, so that writes of it fail.
  case valueComputed(SQLIdentifier, table: SQLIdentifier)
  /// A column is computed from the row by an expression that can fail.
  case computationRequired(SQLIdentifier, table: SQLIdentifier)
  /// No two rows may agree in some columns.
  case uniquenessRequired([SQLIdentifier], table: SQLIdentifier)
  /// No key is of some columns any more, in all the rows in which one was.
  case keyRemoved([SQLIdentifier], table: SQLIdentifier)
  /// Rows have to meet a condition.
  case conditionRequired(SQLIdentifier, table: SQLIdentifier)
  /// A column has to refer to rows of another table, at once.
  case referenceRequired(SQLIdentifier, table: SQLIdentifier, to: SQLIdentifier)
  /// Rows stay as long as rows of another table refer to them.
  case deletionRefused(table: SQLIdentifier, by: SQLIdentifier)
  /// Rows keep their keys as long as rows of another table refer to them.
  case keyChangeRefused(table: SQLIdentifier, by: SQLIdentifier)
  /// A constraint or a sequence that statements may name is renamed or removed.
  case nameRemoved(SQLIdentifier, table: SQLIdentifier)
  /// Rows have other names of entities.
  case entitiesRenamed(table: SQLIdentifier)
  /// Rows are no longer where they were.
  case rowsLeft(table: SQLIdentifier)

  /// The table whose statements fail.
  public var table: SQLIdentifier {
    switch self {
    case .tableRenamed(let table, _), .tableDropped(let table), .columnRenamed(_, _, let table),
      .columnDropped(_, let table), .typeChanged(_, let table, _, _), .valueRequired(_, let table),
      .valueComputed(_, let table), .computationRequired(_, let table),
      .uniquenessRequired(_, let table), .keyRemoved(_, let table),
      .conditionRequired(_, let table), .referenceRequired(_, let table, _),
      .deletionRefused(let table, _), .keyChangeRefused(let table, _), .nameRemoved(_, let table),
      .entitiesRenamed(let table), .rowsLeft(let table):
      table
    }
  }
}
