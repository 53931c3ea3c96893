internal import SQLSyntax

/// Gives a partitioned table the partitions that another division of its values asks for; those that are
/// there stay as they are.
struct AddPartitions: SchemaOperation {
  var table: SQLIdentifier
  /// How the table is divided from now on.
  var partitioning: TablePartitioning

  /// Creates the operation for a table; `nil` if it is divided as before.
  init?(to old: Table, into new: Table) {
    guard let before = old.partitioning, let partitioning = new.partitioning,
      before.method != partitioning.method
    else { return nil }
    self.init(table: new.name, partitioning: partitioning)
  }

  init(table: SQLIdentifier, partitioning: TablePartitioning) {
    self.table = table
    self.partitioning = partitioning
  }

  var summary: String { "add the missing partitions of table \"\(table)\"" }
  var rank: OperationRank { .alterations }
  var dependencies: OperationDependencies {
    OperationDependencies(requires: [.table(table), .columnName(table, partitioning.column)])
  }
  var traits: OperationTraits { [.needsOwnership, .makesObjects] }
  var impact: OperationImpact {
    var impact = OperationImpact(locks: [table: .shareUpdateExclusive], hazards: [.failsOnData])
    // The server looks for rows in the partition of all other values; that of other intervals is empty.
    if case .list(_, hasOthers: true) = partitioning.method { impact.scans = [table] }
    return impact
  }

  func sql(in schema: SQLIdentifier) -> OperationSQL {
    let name = QualifiedName(schema: schema, name: table)
    return .statements([PartitionCreation(of: name, partitioning).sql])
  }

  func apply(to schema: inout DatabaseSchema) {
    schema.tables[table]?.partitioning = partitioning
  }
}
