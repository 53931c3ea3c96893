internal import SQLSyntax

/// ```sql
/// CREATE TABLE "s"."t" ("_id" bigint …, CONSTRAINT … PRIMARY KEY ("_id"), …)
/// ```
struct CreateTable: SchemaOperation {
  /// The table; indexes, triggers and the foreign keys that have to wait for other tables are not
  /// in it.
  var contents: Table
  /// The partitions that it is created with, if it has some.
  var partitions: PartitionCreation?
  /// A table beside whose rows these are to be, where it is not the one of the distribution.
  var neighbor: QualifiedName?

  var table: SQLIdentifier { contents.name }
  var summary: String {
    let prerequisites = Set(contents.constraints.map(\.prerequisite))
    return "create table \"\(table)\"" + prerequisites.joined()
  }

  var dependencies: OperationDependencies {
    var dependencies = OperationDependencies()
    dependencies.claims = Set(contents.relationNames.map { .relation($0) })
    dependencies.provides = .settled(contents.columns.map(\.name), of: table)
    dependencies.requires = Set(
      contents.constraints.compactMap(\.foreignKey).filter { $0.references != table }
        .flatMap {
          [.table($0.references), .columnName($0.references, $0.key), .placed($0.references)]
        }
    )
    if let other = neighbor?.name ?? contents.distribution?.colocatedTable {
      dependencies.requires.formUnion([.table(other), .placed(other)])
    }
    return dependencies
  }

  var rank: OperationRank { .newTables }
  var traits: OperationTraits { [.makesObjects, .appliesToNewTables] }

  var impact: OperationImpact {
    var impact = OperationImpact.accessExclusive(table)
    for referenced in referencedTables { impact.locks[referenced] = .shareRowExclusive }
    return impact
  }

  private var referencedTables: [SQLIdentifier] {
    contents.constraints.compactMap(\.referencedTable).filter { $0 != table }
  }

  func lockedParts(in schema: DatabaseSchema) -> Set<LockedObject> { contents.lockedWhole }

  func rowWork(in schema: DatabaseSchema) -> [[RowWork]] {
    [[.create(schema.qualified(table))]]
  }

  var outcome: OperationOutcome { OperationOutcome(madeTables: [table]) }

  func sql(in schema: SQLIdentifier) -> OperationSQL {
    let name = QualifiedName(schema: schema, name: table)
    // Citus distributes no table that refers to others.
    let isLate = { (constraint: Constraint) in
      contents.distribution != nil && constraint.foreignKey != nil
    }
    let parts =
      contents.columns.map { $0.definition(in: schema) }
      + contents.constraints.filter { !isLate($0) }.map { $0.clause(in: schema) }
    let distribution =
      [contents.distribution?.statement(for: name, beside: neighbor)].compactMap(\.self)
      + contents.constraints.filter(isLate).map {
        "ALTER TABLE \(name) ADD \($0.clause(in: schema))"
      }
    return .statements(
      contents.columns.flatMap { $0.sequenceCreation(in: schema) }
        + [
          "CREATE TABLE \(name) (\n  \(parts.joined(separator: ",\n  "))\n)\(contents.storageClause)"
        ]
        + contents.columns.flatMap { $0.sequenceBinding(to: table, in: schema) }
        + partitionCreation(of: name) + distribution
    )
  }

  private func partitionCreation(of name: QualifiedName) -> [SQLFragment] {
    guard let partitioning = contents.partitioning else { return [] }
    return [(partitions ?? PartitionCreation(of: name, partitioning)).sql]
  }

  func apply(to schema: inout DatabaseSchema) {
    schema.tables[table] = contents
  }
}
