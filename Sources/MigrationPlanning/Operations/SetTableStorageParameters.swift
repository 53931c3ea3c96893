internal import SQLSyntax

/// Sets the storage parameters of the model; others stay unchanged.
///
/// ```sql
/// ALTER TABLE "s"."t" SET ("fillfactor" = '80')
/// ALTER TABLE "s"."t" RESET ("parallel_workers")
/// ```
struct SetTableStorageParameters: SchemaOperation {
  var table: SQLIdentifier
  /// The former parameters of the model.
  var before: [String: String]
  /// The new parameters of the model.
  var after: [String: String]
  /// A Boolean value that indicates whether the table is partitioned: its partitions have the parameters.
  var isPartitioned = false

  /// Creates the operation for the parameters of a table; `nil` if they are equal.
  init?(of old: Table, into new: Table) {
    guard old.storage != new.storage else { return nil }
    self.init(table: new.name, before: old.storage, after: new.storage)
    isPartitioned = new.partitioning != nil
  }

  init(table: SQLIdentifier, before: [String: String], after: [String: String]) {
    self.table = table
    self.before = before
    self.after = after
  }

  private var changed: [String: String] { after.filter { before[$0.key] != $0.value } }
  private var dropped: [String] { before.keys.filter { after[$0] == nil }.sorted() }

  var summary: String {
    let names = (changed.keys.sorted() + dropped).map { "\"\($0)\"" }.joined(separator: ", ")
    return "set storage parameters \(names) of table \"\(table)\""
  }

  var rank: OperationRank { .alterations }
  var dependencies: OperationDependencies { OperationDependencies(requires: [.table(table)]) }
  var traits: OperationTraits { [.needsOwnership, .staysInTable] }
  var impact: OperationImpact { OperationImpact(locks: [table: .shareUpdateExclusive]) }

  func sql(in schema: SQLIdentifier) -> OperationSQL {
    var clauses: [SQLFragment] = []
    if !changed.isEmpty { clauses.append("SET \(Table.storageList(changed))") }
    if !dropped.isEmpty { clauses.append("RESET (\(dropped.map { SQLIdentifier($0) }))") }
    guard isPartitioned else { return .clauses(clauses) }
    let changes = clauses.joined(separator: ", ")
    let owner = QualifiedName(schema: schema, name: table)
    let statements: [(SQLFragment, SQLFragment)] = [("ALTER TABLE ", " \(changes)")]
    return .statements([PartitionLoop(table: owner, statements: statements).sql])
  }

  func apply(to schema: inout DatabaseSchema) {
    schema.tables[table]?.storage = after
    schema.tables[table]?.partitioning?.storage = after
  }
}
