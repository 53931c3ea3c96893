internal import SQLSyntax

/// Something that a migration does to the database.
enum MigrationOperation: Hashable, Sendable {
  case createTable(CreateTable)
  case installTable(InstallTable)
  case dropTable(DropTable)
  case renameTable(RenameTable)
  case retainTable(RetainTable)
  case addColumn(AddColumn)
  case dropColumn(DropColumn)
  case renameColumn(RenameColumn)
  case retainColumn(RetainColumn)
  case changeColumnType(ChangeColumnType)
  case setNotNull(SetNotNull)
  case dropNotNull(DropNotNull)
  case setDefault(SetDefault)
  case dropExpression(DropExpression)
  case computeValues(ComputeValues)
  case updateRows(UpdateRows)
  case copyRows(CopyRows)
  case retainRows(RetainRows)
  case deleteRows(DeleteRows)
  case cutLinks(CutLinks)
  case cutDanglingLinks(CutDanglingLinks)
  case moveLinks(MoveLinks)
  case numberLinks(NumberLinks)
  case addConstraint(AddConstraint)
  case dropConstraint(DropConstraint)
  case renameConstraint(RenameConstraint)
  case createIndex(CreateIndex)
  case dropIndex(DropIndex)
  case renameIndex(RenameIndex)
  case renameSequence(RenameSequence)
  case createTrigger(CreateTrigger)
  case dropTrigger(DropTrigger)
  case renameRetained(RenameRetained)
  case reinstateRows(ReinstateRows)
  case dropDependent(DropDependent)
  case createDependent(CreateDependent)

  /// The operation itself, whichever it is.
  var base: any SchemaOperation {
    switch self {
    case .createTable(let operation): operation
    case .installTable(let operation): operation
    case .dropTable(let operation): operation
    case .renameTable(let operation): operation
    case .retainTable(let operation): operation
    case .addColumn(let operation): operation
    case .dropColumn(let operation): operation
    case .renameColumn(let operation): operation
    case .retainColumn(let operation): operation
    case .changeColumnType(let operation): operation
    case .setNotNull(let operation): operation
    case .dropNotNull(let operation): operation
    case .setDefault(let operation): operation
    case .dropExpression(let operation): operation
    case .computeValues(let operation): operation
    case .updateRows(let operation): operation
    case .copyRows(let operation): operation
    case .retainRows(let operation): operation
    case .deleteRows(let operation): operation
    case .cutLinks(let operation): operation
    case .cutDanglingLinks(let operation): operation
    case .moveLinks(let operation): operation
    case .numberLinks(let operation): operation
    case .addConstraint(let operation): operation
    case .dropConstraint(let operation): operation
    case .renameConstraint(let operation): operation
    case .createIndex(let operation): operation
    case .dropIndex(let operation): operation
    case .renameIndex(let operation): operation
    case .renameSequence(let operation): operation
    case .createTrigger(let operation): operation
    case .dropTrigger(let operation): operation
    case .renameRetained(let operation): operation
    case .reinstateRows(let operation): operation
    case .dropDependent(let operation): operation
    case .createDependent(let operation): operation
    }
  }

  /// Which of several operations that could all come next does: names first, then tables, values,
  /// alterations table by table, indexes, triggers.
  var rank: Int {
    switch self {
    // What is not ours goes before anything is renamed, and comes back when all is done.
    case .dropDependent: -1
    case .dropTrigger, .dropIndex: 0
    case .renameRetained, .renameTable, .renameColumn, .renameConstraint, .renameIndex,
      .renameSequence:
      1
    case .createTable, .installTable: 2
    case .updateRows, .copyRows, .retainRows, .deleteRows, .cutLinks, .cutDanglingLinks, .moveLinks,
      .numberLinks, .computeValues:
      3
    case .addColumn, .dropColumn, .retainColumn, .changeColumnType, .setNotNull, .dropNotNull,
      .setDefault, .dropExpression, .addConstraint, .dropConstraint, .retainTable:
      4
    // What leaves tables is off them before rows come back.
    case .createIndex, .reinstateRows: 5
    case .createTrigger: 6
    case .dropTable: 7
    case .createDependent: 8
    }
  }
}
