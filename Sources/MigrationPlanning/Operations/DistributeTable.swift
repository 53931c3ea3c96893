internal import SQLSyntax

/// Has Citus spread the rows of a table over nodes that the coordinator alone has had until now.
///
/// ```sql
/// ALTER TABLE "s"."t" DROP CONSTRAINT "t_pkey", ADD CONSTRAINT "t_pkey" PRIMARY KEY ("tenant", "_id");
/// SELECT pg_catalog.create_distributed_table('"s"."t"', 'tenant', colocate_with => '"s"."tenant"')
/// ```
struct DistributeTable: SchemaOperation {
  var table: SQLIdentifier
  /// How they are spread from now on.
  var distribution: TableDistribution
  /// A table beside whose rows these are to be, where it is not the one of the distribution.
  var neighbor: SQLIdentifier?
  /// The columns of the table.
  var columns: [SQLIdentifier]
  /// The primary keys before and afterwards: the distribution column is in the new one.
  var formerKey, key: Constraint?

  /// Creates the operation for a table that stays; `nil` if its rows stay where they are, too.
  ///
  /// - Parameters:
  ///   - old: The table under its new names.
  ///   - new: The table of the destination.
  ///   - kinds: The kinds of the tables before, under their new names.
  init?(of old: Table, into new: Table, _ kinds: @autoclosure () -> TableKinds) {
    // A table that is distributed already is copied if it is to be so in another way, or no longer.
    guard old.distribution == nil, let distribution = new.distribution, distribution != .schema,
      // People may have distributed it.
      !distribution.isThat(of: new.name, in: kinds())
    else { return nil }
    table = new.name
    self.distribution = distribution
    columns = new.columns.map(\.name)
    key = new.constraints.first(where: \.isPrimaryKey)
    formerKey = old.constraints.first(where: \.isPrimaryKey)
  }

  var summary: String {
    distribution.column.map { "distribute table \"\(table)\" by \"\($0)\" over all nodes" }
      ?? "copy table \"\(table)\" to all nodes"
  }

  var dependencies: OperationDependencies {
    var dependencies = OperationDependencies()
    dependencies.requires = .settled(columns, of: table)
    dependencies.requires.remove(.placed(table))
    dependencies.requires.insert(.unreferenced(table))
    // Nothing is unique, and nothing refers to rows, without the column that decides where rows are.
    dependencies.requires.formUnion(columns.map { .freedom(table, $0) })
    if let other = neighbor ?? distribution.colocatedTable {
      dependencies.requires.insert(.placed(other))
    }
    dependencies.provides = [.placed(table)]
    if formerKey != key, let formerKey {
      dependencies.releases = [.constraint(table, formerKey.name), .relation(formerKey.name)]
    }
    if formerKey != key, let key {
      dependencies.claims = [.constraint(table, key.name), .relation(key.name)]
    }
    return dependencies
  }

  var rank: OperationRank { .alterations }
  var traits: OperationTraits { [.needsOwnership, .makesObjects] }

  var impact: OperationImpact {
    OperationImpact(
      locks: [table: .accessExclusive],
      rewrites: [table],
      scans: [table],
      hazards: [.failsOnData]
    )
  }

  func rowWork(in schema: DatabaseSchema) -> [[RowWork]] {
    let keyWork = key.map { RowWork.indexing($0.columns, of: table, in: schema) }
    return (formerKey != key ? [[keyWork].compactMap(\.self)] : [])
      + [[.rewrite(schema.qualified(table))]]
  }

  func sql(in schema: SQLIdentifier) -> OperationSQL {
    let name = QualifiedName(schema: schema, name: table)
    var statements: [SQLFragment] = []
    if formerKey != key {
      let changes: [SQLFragment?] = [
        formerKey.map { "DROP CONSTRAINT \($0.name)" }, key.map { "ADD \($0.clause(in: schema))" },
      ]
      statements.append(
        "ALTER TABLE \(name) \(changes.compactMap(\.self).joined(separator: ", "))"
      )
    }
    let neighbor = neighbor.map { QualifiedName(schema: schema, name: $0) }
    statements += [distribution.statement(for: name, beside: neighbor)].compactMap(\.self)
    return .statements(
      statements + [
        // The rows that the coordinator had are hidden from then on, but take up their place.
        "SELECT pg_catalog.truncate_local_data_after_distributing_table(\(text: name.quoted))"
      ]
    )
  }

  func apply(to schema: inout DatabaseSchema) {
    schema.tables[table]?.distribution = distribution
    guard formerKey != key else { return }
    schema.tables[table]?.constraints.removeAll(where: \.isPrimaryKey)
    if let key { schema.tables[table]?.constraints.insert(key, at: 0) }
  }
}
