public import SQLSyntax

/// What a release that still runs on the previous version stumbles over once a statement has run.
public enum ReleaseBreakage: Hashable, Sendable {
  /// A table has another name.
  case tableRenamed(SQLIdentifier, to: SQLIdentifier)
  /// A table has gone.
  case tableDropped(SQLIdentifier)
  /// A column has another name.
  case columnRenamed(SQLIdentifier, to: SQLIdentifier, table: SQLIdentifier)
  /// A column has gone.
  case columnDropped(SQLIdentifier, table: SQLIdentifier)
  /// A column has values of another type.
  case typeChanged(SQLIdentifier, table: SQLIdentifier, from: SQLTypeName, to: SQLTypeName)
  /// A column has to have a value.
  case valueRequired(SQLIdentifier, table: SQLIdentifier)
  /// No two rows may agree in some columns.
  case uniquenessRequired([SQLIdentifier], table: SQLIdentifier)
  /// Rows have to meet a condition.
  case conditionRequired(SQLIdentifier, table: SQLIdentifier)
  /// Rows have other names of entities.
  case entitiesRenamed(table: SQLIdentifier)
  /// Rows are no longer where they were.
  case rowsLeft(table: SQLIdentifier)
}
