internal import SQLSyntax

/// What an operation deletes for good, if it does.
struct OperationLoss: Hashable, Sendable {
  /// The kind of data that is lost.
  var kind: DataLoss.Kind
  /// The entities whose rows are lost, if they are not all that the table has.
  var entityNames: [String] = []
  /// Which rows it is about, with names as they are when the operation begins; all if there is no condition.
  var condition: SQLFragment?
}

extension DropTable {
  var loss: OperationLoss? { OperationLoss(kind: .rows) }
}

extension DropColumn {
  var loss: OperationLoss? { isReplaced ? nil : OperationLoss(kind: .values) }
}

extension DeleteRows {
  var loss: OperationLoss? {
    losesRows
      ? OperationLoss(kind: .rows, entityNames: lostEntities, condition: condition) : nil
  }
}

extension CutLinks {
  var loss: OperationLoss? {
    guard retainedTable == nil else { return nil }
    return OperationLoss(kind: .links)
  }
}
