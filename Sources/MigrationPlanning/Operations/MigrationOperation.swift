internal import SQLSyntax

/// Something that a migration does to the database.
enum MigrationOperation: Hashable, Sendable {
  case createTable(CreateTable)
  case installTable(InstallTable)
  case dropTable(DropTable)
  case rename(RenameObject)
  case retainTable(RetainTable)
  case addColumn(AddColumn)
  case installColumn(InstallColumn)
  case dropColumn(DropColumn)
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
  case alterConstraint(AlterConstraint)
  case dropConstraint(DropConstraint)
  case createIndex(CreateIndex)
  case dropIndex(DropIndex)
  case createTrigger(CreateTrigger)
  case addPartitions(AddPartitions)
  case distributeTable(DistributeTable)
  case setTableStorageParameters(SetTableStorageParameters)
  case dropTrigger(DropTrigger)
  case reinstateRows(ReinstateRows)
  case dropDependent(DropDependent)
  case createDependent(CreateDependent)

  /// The operation itself, whichever it is.
  var base: any SchemaOperation {
    switch self {
    case .createTable(let operation): operation
    case .installTable(let operation): operation
    case .dropTable(let operation): operation
    case .rename(let operation): operation
    case .retainTable(let operation): operation
    case .addColumn(let operation): operation
    case .installColumn(let operation): operation
    case .dropColumn(let operation): operation
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
    case .alterConstraint(let operation): operation
    case .dropConstraint(let operation): operation
    case .createIndex(let operation): operation
    case .dropIndex(let operation): operation
    case .createTrigger(let operation): operation
    case .addPartitions(let operation): operation
    case .distributeTable(let operation): operation
    case .setTableStorageParameters(let operation): operation
    case .dropTrigger(let operation): operation
    case .reinstateRows(let operation): operation
    case .dropDependent(let operation): operation
    case .createDependent(let operation): operation
    }
  }

  /// Returns the operations that depend on a table alone, whatever else changes.
  ///
  /// - Parameters:
  ///   - old: The table under its new name.
  ///   - new: The table of the destination.
  /// - Returns: The operations.
  static func alterations(of old: Table, into new: Table) -> [MigrationOperation] {
    let storage = SetTableStorageParameters(of: old, into: new)
    let partitions = AddPartitions(to: old, into: new)
    return [
      storage.map(MigrationOperation.setTableStorageParameters),
      partitions.map(MigrationOperation.addPartitions),
    ].compactMap(\.self)
  }

  /// A Boolean value that indicates whether it adds a constraint to a table that is there.
  var addsConstraint: Bool {
    if case .addConstraint = self { true } else { false }
  }

  /// A Boolean value that indicates whether it drops a foreign key.
  var dropsForeignKey: Bool {
    if case .dropConstraint(let drop) = self { drop.constraint.foreignKey != nil } else { false }
  }

  /// The same operation, done to the index of a constraint in place of the constraint itself.
  var byIndex: MigrationOperation {
    guard case .rename(var rename) = self, case .constraint(let table, hasIndex: true) = rename.kind
    else { return self }
    rename.kind = .index(of: table)
    return .rename(rename)
  }

  /// The operation, if it gives something another name.
  var rename: RenameObject? {
    if case .rename(let rename) = self { rename } else { nil }
  }
}
