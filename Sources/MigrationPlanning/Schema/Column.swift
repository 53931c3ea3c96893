internal import ObjectModel
package import SQLSyntax

/// A column of a table.
package struct Column: Hashable, Sendable {
  /// The name.
  package var name: SQLIdentifier
  /// The type.
  package var type: SQLTypeName
  /// The name of the NOT NULL constraint, which the server keeps from version 18 on; none if the
  /// column is nullable.
  package var notNullConstraint: SQLIdentifier?
  /// The expression that new rows get.
  package var defaultExpression: SQLFragment?
  /// The sequence that the values come from.
  package var sequence: ColumnSequence?
  /// The expression over other columns of the row that the server keeps the value by.
  package var generation: SQLFragment?

  /// Creates a column.
  package init(
    name: SQLIdentifier,
    type: SQLTypeName,
    notNullConstraint: SQLIdentifier? = nil,
    defaultExpression: SQLFragment? = nil,
    identitySequence: SQLIdentifier? = nil,
    generation: SQLFragment? = nil
  ) {
    self.name = name
    self.type = type
    self.notNullConstraint = notNullConstraint
    self.defaultExpression = defaultExpression
    sequence = identitySequence.map { ColumnSequence(name: $0) }
    self.generation = generation
  }

  /// The name of the sequence that the values come from.
  package var identitySequence: SQLIdentifier? {
    get { sequence?.name }
    set {
      guard let newValue else {
        sequence = nil
        return
      }
      sequence = ColumnSequence(name: newValue, kind: sequence?.kind ?? .identity)
    }
  }

  /// A Boolean value that indicates whether there may be no value.
  package var isNullable: Bool { notNullConstraint == nil }

  /// The columns that the server computes the value from.
  var readColumns: [SQLIdentifier] { generation?.identifiers ?? [] }

  /// The column as CREATE TABLE and ADD COLUMN have it.
  package func definition(in schema: SQLIdentifier) -> SQLFragment {
    var definition: SQLFragment = "\(name) \(type)"
    if let defaultExpression { definition.append(" DEFAULT \(defaultExpression)") }
    if let generation {
      definition.append(" GENERATED ALWAYS AS (\(generation.unparenthesised)) STORED")
    }
    if let notNullConstraint { definition.append(" CONSTRAINT \(notNullConstraint) NOT NULL") }
    if let sequence { definition.append(" \(sequence.clause(in: schema))") }
    return definition
  }
}
