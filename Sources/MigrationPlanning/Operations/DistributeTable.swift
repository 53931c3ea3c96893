internal import SQLSyntax

/// Spreads the rows of a table over the nodes of Citus in another way than before.
///
/// ```sql
/// ALTER TABLE "s"."t" DROP CONSTRAINT "t_pkey", ADD CONSTRAINT "t_pkey" PRIMARY KEY ("tenant", "_id");
/// SELECT pg_catalog.create_distributed_table('"s"."t"', 'tenant', colocate_with => '"s"."tenant"')
/// ```
struct DistributeTable: SchemaOperation {
  var table: SQLIdentifier
  /// A Boolean value that indicates whether rows are on other nodes before.
  var isDistributed: Bool
  /// How they are spread from now on; `nil` if the coordinator alone has them.
  var distribution: TableDistribution?
  /// The columns of the table.
  var columns: [SQLIdentifier]
  /// The primary keys before and afterwards: the distribution column is in them.
  var formerKey, key: Constraint?

  /// Creates the operation for a table; `nil` if its rows stay where they are.
  ///
  /// - Parameters:
  ///   - old: The table under its new names.
  ///   - new: The table of the destination.
  ///   - kinds: The kinds of the tables before, under their new names.
  init?(of old: Table, into new: Table, _ kinds: @autoclosure () -> TableKinds) {
    guard old.distribution != new.distribution else { return nil }
    let kinds = kinds()
    // People may have distributed it already.
    if new.distribution?.isThat(of: new.name, in: kinds) == true { return nil }
    table = new.name
    isDistributed = old.distribution != nil || kinds[new.name]?.isOnOtherNodes == true
    distribution = new.distribution
    columns = new.columns.map(\.name)
    formerKey = old.constraints.first(where: \.isPrimaryKey)
    key = new.constraints.first(where: \.isPrimaryKey)
  }

  init(
    table: SQLIdentifier,
    isDistributed: Bool,
    distribution: TableDistribution?,
    columns: [SQLIdentifier],
    formerKey: Constraint?,
    key: Constraint?
  ) {
    self.table = table
    self.isDistributed = isDistributed
    self.distribution = distribution
    self.columns = columns
    self.formerKey = formerKey
    self.key = key
  }

  var summary: String {
    switch distribution {
    case nil: "move the rows of table \"\(table)\" to the coordinator"
    case .reference: "copy table \"\(table)\" to all nodes"
    case .rows(let column, _): "distribute table \"\(table)\" by \"\(column)\" over all nodes"
    }
  }

  var dependencies: OperationDependencies {
    var dependencies = OperationDependencies()
    dependencies.requires = .settled(columns, of: table)
    dependencies.requires.remove(.placed(table))
    dependencies.requires.insert(.unreferenced(table))
    // Nothing is unique, and nothing refers to rows, without the column that decides where rows are.
    dependencies.requires.formUnion(columns.map { .freedom(table, $0) })
    if let other = distribution?.colocatedTable { dependencies.requires.insert(.placed(other)) }
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
      rewrites: isDistributed || distribution != nil ? [table] : [],
      scans: [table],
      hazards: [.failsOnData]
    )
  }

  func rowWork(in schema: DatabaseSchema) -> [[RowWork]] {
    let work = RowWork.rewrite(schema.qualified(table))
    return (isDistributed ? [[work]] : []) + (formerKey != key ? [[]] : [])
      + (distribution == nil ? [] : [[work]])
  }

  var dependentBreakage: DependentBreakage { .tableReplaced }

  func sql(in schema: SQLIdentifier) -> OperationSQL {
    let name = QualifiedName(schema: schema, name: table)
    var statements: [SQLFragment] = []
    if isDistributed {
      statements.append("SELECT pg_catalog.undistribute_table(\(text: name.quoted))")
    }
    if formerKey != key {
      let changes: [SQLFragment?] = [
        formerKey.map { "DROP CONSTRAINT \($0.name)" }, key.map { "ADD \($0.clause(in: schema))" },
      ]
      statements.append(
        "ALTER TABLE \(name) \(changes.compactMap(\.self).joined(separator: ", "))"
      )
    }
    if let distribution {
      statements.append(distribution.statement(for: table, in: schema))
      // The rows that the coordinator had are hidden from then on, but take up their place.
      statements.append(
        """
        SELECT pg_catalog.truncate_local_data_after_distributing_table(\(text: name.quoted))
        """
      )
    }
    return .statements(statements)
  }

  func apply(to schema: inout DatabaseSchema) {
    schema.tables[table]?.distribution = distribution
    guard formerKey != key else { return }
    schema.tables[table]?.constraints.removeAll(where: \.isPrimaryKey)
    if let key { schema.tables[table]?.constraints.insert(key, at: 0) }
  }
}
