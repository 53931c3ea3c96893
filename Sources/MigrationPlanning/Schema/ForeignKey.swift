package import ObjectModel
package import SQLSyntax

/// A foreign key: a column that holds the key of rows of a table, beside the column that tells where both are
/// if their rows are distributed.
package struct ForeignKey: Hashable, Sendable {
  /// The action on rows when their destination is deleted or its key changes.
  package typealias Action = ReferenceDescription.Action
  /// When it is checked.
  package typealias Deferrability = ReferenceDescription.Deferrability

  /// The column.
  package var column: SQLIdentifier
  /// The table that it refers to.
  package var references: SQLIdentifier
  /// The key of that table.
  package var key: SQLIdentifier
  /// The columns of both tables that tell on which node their rows are, where the key alone does not.
  package var distribution: DistributionColumns?
  /// The action on a row when its destination is deleted.
  package var onDelete: Action
  /// The action on a row when its destination's key changes.
  package var onUpdate: Action
  /// When it is checked.
  package var deferrability: Deferrability

  /// The columns by whose values rows of two tables are on the same node.
  package struct DistributionColumns: Hashable, Sendable {
    /// The column of the table that refers to the other one.
    package var column: SQLIdentifier
    /// The column of the other table.
    package var key: SQLIdentifier
  }

  /// All columns, in the order of the constraint.
  package var columns: [SQLIdentifier] {
    [distribution?.column, column].compactMap(\.self)
  }
  /// All columns that they refer to, in the order of the constraint.
  package var keys: [SQLIdentifier] { [distribution?.key, key].compactMap(\.self) }

  /// The same foreign key where the key alone tells where rows are.
  var byKeyAlone: ForeignKey {
    var foreignKey = self
    foreignKey.distribution = nil
    return foreignKey
  }

  /// Creates a foreign key.
  package init(
    column: SQLIdentifier,
    references: SQLIdentifier,
    key: SQLIdentifier = "_id",
    onDelete: Action,
    onUpdate: Action = .noAction,
    deferrability: Deferrability = .immediate
  ) {
    self.column = column
    self.references = references
    self.key = key
    self.onDelete = onDelete
    self.onUpdate = onUpdate
    self.deferrability = deferrability
  }

  /// The REFERENCES clause of CREATE TABLE and ADD COLUMN.
  func clause(in schema: SQLIdentifier) -> SQLFragment {
    let referenced = QualifiedName(schema: schema, name: references)
    var clause: SQLFragment = "REFERENCES \(referenced) (\(keys))"
    if onUpdate != .noAction { clause.append(" ON UPDATE \(onUpdate.clause)") }
    if onDelete != .noAction { clause.append(" ON DELETE \(onDelete.clause)") }
    switch deferrability {
    case .notDeferrable: break
    case .immediate: clause.append(" DEFERRABLE INITIALLY IMMEDIATE")
    case .deferred: clause.append(" DEFERRABLE INITIALLY DEFERRED")
    }
    return clause
  }
}

extension ReferenceDescription.Action {
  /// The action as SQL has it.
  package var clause: SQLFragment {
    switch self {
    case .noAction: "NO ACTION"
    case .restrict: "RESTRICT"
    case .cascade: "CASCADE"
    case .setNull: "SET NULL"
    case .setDefault: "SET DEFAULT"
    }
  }

  /// A Boolean value that indicates whether referring rows change.
  var writesRows: Bool {
    switch self {
    case .noAction, .restrict: false
    case .cascade, .setNull, .setDefault: true
    }
  }
}
