package import SQLSyntax

/// How a column is kept that depends on other rows or on the time, which the server cannot by itself.
///
/// Before a row is written a trigger computes its value. Wherever else something changes that the value
/// depends on, a trigger touches the rows whose value it is, under a lock of each, so that they are
/// computed anew from what is committed by then: of several writers the last one sees what all did.
package struct Derivation: Hashable, Sendable {
  /// The value, as an UPDATE of the table has it.
  var value: SQLFragment
  /// The columns that it is computed from.
  var reads: [ColumnReference]
  /// A Boolean value that indicates whether it says when the row was written.
  var isStamp: Bool
  /// The triggers that keep it, by their tables.
  package var triggers: [SQLIdentifier: [Trigger]]
}
