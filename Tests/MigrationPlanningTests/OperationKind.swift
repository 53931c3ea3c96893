@testable import MigrationPlanning

/// Which operation something is, so that none can be forgotten.
enum OperationKind: CaseIterable, Sendable {
  case createTable, installTable, dropTable, renameTable, retainTable, addColumn, installColumn,
    dropColumn
  case renameColumn, retainColumn, changeColumnType, setNotNull, dropNotNull, setDefault
  case dropExpression, computeValues, updateRows, copyRows, retainRows, deleteRows
  case cutLinks, cutDanglingLinks, reinstateRows, moveLinks, numberLinks, addConstraint,
    alterConstraint, dropConstraint, renameConstraint
  case createIndex, dropIndex, renameIndex, renameSequence, createTrigger, dropTrigger
  case addPartitions
  case distributeTable
  case setTableStorageParameters
  case renameRetained, dropDependent, createDependent
}

extension MigrationOperation {
  /// Which operation it is.
  var kind: OperationKind {
    switch self {
    case .createTable: .createTable
    case .installTable: .installTable
    case .dropTable: .dropTable
    case .rename(let rename):
      switch rename.kind {
      case .table: .renameTable
      case .column: .renameColumn
      case .constraint, .notNull: .renameConstraint
      case .index: .renameIndex
      case .sequence: .renameSequence
      case .retainedTable, .retainedPart, .retainedColumn: .renameRetained
      }
    case .retainTable: .retainTable
    case .addColumn: .addColumn
    case .installColumn: .installColumn
    case .dropColumn: .dropColumn
    case .retainColumn: .retainColumn
    case .changeColumnType: .changeColumnType
    case .setNotNull: .setNotNull
    case .dropNotNull: .dropNotNull
    case .setDefault: .setDefault
    case .dropExpression: .dropExpression
    case .computeValues: .computeValues
    case .updateRows: .updateRows
    case .copyRows: .copyRows
    case .retainRows: .retainRows
    case .deleteRows: .deleteRows
    case .cutLinks: .cutLinks
    case .cutDanglingLinks: .cutDanglingLinks
    case .reinstateRows: .reinstateRows
    case .moveLinks: .moveLinks
    case .numberLinks: .numberLinks
    case .addConstraint: .addConstraint
    case .alterConstraint: .alterConstraint
    case .dropConstraint: .dropConstraint
    case .createIndex: .createIndex
    case .dropIndex: .dropIndex
    case .createTrigger: .createTrigger
    case .addPartitions: .addPartitions
    case .distributeTable: .distributeTable
    case .setTableStorageParameters: .setTableStorageParameters
    case .dropTrigger: .dropTrigger
    case .dropDependent: .dropDependent
    case .createDependent: .createDependent
    }
  }
}

extension OperationKind {
  /// The cases in which it is measured.
  var claims: [ClaimCase] {
    switch self {
    case .createTable: ClaimCase.createTable
    case .installTable: ClaimCase.installTable
    case .dropTable: ClaimCase.dropTable
    case .renameTable: ClaimCase.renameTable
    case .retainTable: ClaimCase.retainTable
    case .addColumn: ClaimCase.addColumn
    case .installColumn: ClaimCase.installColumn
    case .dropColumn: ClaimCase.dropColumn
    case .renameColumn: ClaimCase.renameColumn
    case .retainColumn: ClaimCase.retainColumn
    case .changeColumnType: ClaimCase.changeColumnType
    case .setNotNull: ClaimCase.setNotNull
    case .dropNotNull: ClaimCase.dropNotNull
    case .setDefault: ClaimCase.setDefault
    case .dropExpression: ClaimCase.dropExpression
    case .computeValues: ClaimCase.computeValues
    case .updateRows: ClaimCase.updateRows
    case .copyRows: ClaimCase.copyRows
    case .retainRows: ClaimCase.retainRows
    case .deleteRows: ClaimCase.deleteRows
    case .cutLinks: ClaimCase.cutLinks
    case .cutDanglingLinks: ClaimCase.cutDanglingLinks
    case .reinstateRows: ClaimCase.reinstateRows
    case .moveLinks: ClaimCase.moveLinks
    case .numberLinks: ClaimCase.numberLinks
    case .addConstraint: ClaimCase.addConstraint
    case .alterConstraint: ClaimCase.alterConstraint
    case .dropConstraint: ClaimCase.dropConstraint
    case .renameConstraint: ClaimCase.renameConstraint
    case .createIndex: ClaimCase.createIndex
    case .dropIndex: ClaimCase.dropIndex
    case .renameIndex: ClaimCase.renameIndex
    case .renameSequence: ClaimCase.renameSequence
    case .createTrigger: ClaimCase.createTrigger
    case .addPartitions: ClaimCase.addPartitions
    case .distributeTable: []  // A server without Citus cannot carry it out.
    case .setTableStorageParameters: ClaimCase.setTableStorageParameters
    case .dropTrigger: ClaimCase.dropTrigger
    case .renameRetained: ClaimCase.renameRetained
    case .dropDependent: ClaimCase.dropDependent
    case .createDependent: ClaimCase.createDependent
    }
  }
}
