internal import ObjectModel
internal import SQLSyntax

extension MigrationStep {
  /// A Boolean value that indicates whether the step spreads rows over nodes.
  package var reachesNodes: Bool {
    schemaDistribution != nil || operations.contains { $0.distribution != nil }
  }

  /// Returns what the step would do to tables that they do not survive as what they are, or that their
  /// server only seems to do.
  ///
  /// - Parameter kinds: The kinds of the tables before the step.
  /// - Returns: The refusals, each once.
  package func kindRefusals(_ kinds: TableKinds) -> [KindRefusal] {
    let distributions = operations.compactMap(\.distribution)
    guard !kinds.tables.isEmpty || kinds.schemaColocation != nil || reachesNodes else { return [] }
    var refusals: [KindRefusal] = []
    func refuse(_ table: SQLIdentifier, _ kind: TableKind, _ cause: KindRefusal.Cause) {
      let refusal = KindRefusal(table: table, kind: kind, cause: cause)
      if !refusals.contains(refusal) { refusals.append(refusal) }
    }
    guard !isIntoSchema else {
      let placed = kinds.after(self)
      for table in distributions {
        placed[table].map { refuse(table, $0, kinds.hasCitus ? .intoSchema : .withoutCitus) }
      }
      return refusals
    }
    refuseSchema(kinds, refuse)
    for source in copy?.sources ?? [] {
      guard let kind = kinds[source.table], !kind.isConverted else { continue }
      let declared = self.source?.projection.schema.tables[source.table]
      let isDeclaredPart = kind.partitionKey == nil || declared?.partitioning != nil
      let isPlaced =
        kind.placement == nil || declared?.distribution?.isThat(of: source.table, in: kinds) == true
        || kinds.isInDistributedSchema(source.table)
      if !isDeclaredPart || !isPlaced {
        refuse(source.table, kind, .copied)
      } else if kind.placement != nil, strategy != .locked {
        refuse(source.table, kind, .copiedMeanwhile)
      } else if kind.partitionKey != nil, kinds.isInDistributedSchema(source.table) {
        refuse(source.table, kind, .copied)
      }
    }
    let after = kinds.after(self)
    for table in distributions {
      guard let kind = after[table] else { continue }
      if !kinds.hasCitus { refuse(table, kind, .withoutCitus) }
      if kinds.schemaColocation != nil, destination.projection.model.layout.distribution == .tables
      {
        refuse(table, kind, .inDistributedSchema)
      }
      if case .distributeTable = operations.first(where: { $0.distribution == table }),
        let former = kinds[table], former.isOnOtherNodes, !leaves(table)
      {
        refuse(table, former, .elsewhere)
      }
      refuseParts(of: table, kind, kinds, refuse)
    }
    if schemaDistribution == .added {
      for table in destination.projection.schema.sortedTables {
        guard let kind = after[table.name] else { continue }
        if !kinds.hasCitus { refuse(table.name, kind, .withoutCitus) }
        refuseParts(of: table.name, kind, kinds, refuse)
      }
      // Those that are retained are in the schema, too.
      for (table, triggers) in kinds.triggers.sorted(by: { $0.key < $1.key })
      where source?.projection.schema.tables[table] == nil || leaves(table) {
        for trigger in triggers { refuse(table, TableKind(), .trigger(trigger)) }
      }
    }
    for copied in copy?.tables ?? [] where strategy != .locked {
      if let kind = after[copied.name], kind.placement != nil {
        refuse(copied.name, kind, .copiedMeanwhile)
      }
    }
    for operation in operations {
      let table = operation.base.table
      let kind = after[table]
      for foreignKey in operation.addedForeignKeys {
        let other = after[foreignKey.references]
        let fault = foreignKey.fault(from: table, kind?.placement, to: other?.placement)
        switch fault {
        case .referenced:
          if let other { refuse(foreignKey.references, other, .referenced(by: table)) }
        case .some(let cause): if let kind { refuse(table, kind, cause) }
        case nil: break
        }
      }
      guard let kind else { continue }
      if let (name, columns) = operation.addedUniqueness, !kind.keepsUnique(columns) {
        refuse(table, kind, .uniqueInParts(name))
      }
      guard kind.isOnOtherNodes else { continue }
      let former = formerName(ofTable: table)
      if let column = operation.alteredColumn, kind.placement?.column == column.name,
        kinds[former]?.isOnOtherNodes == true, !leaves(former)
      {
        refuse(table, kind, .distributionColumn(column))
      }
      switch operation {
      case .addColumn(let addition):
        let expression = addition.column.defaultExpression
        if addition.retainedName == nil, expression?.isConstant == false {
          refuse(table, kind, .computedByNodes(column: addition.column.name))
        }
      case .createTrigger(let creation): refuse(table, kind, .trigger(creation.trigger.name))
      case .reinstateRows: refuse(table, kind, .rowsReturn)
      default: break  // Citus carries it out, or refuses it before anything has changed.
      }
    }
    for work in deferredWork {
      guard let kind = after[work.table], let columns = work.uniqueColumns,
        !kind.keepsUnique(columns)
      else { continue }
      refuse(work.table, kind, .uniqueInParts(work.object))
    }
    return refusals
  }

  /// Refuses to spread a table with parts that Citus does not carry out on several nodes: those of the model, and those
  /// that people have added.
  private func refuseParts(
    of table: SQLIdentifier,
    _ kind: TableKind,
    _ kinds: TableKinds,
    _ refuse: (SQLIdentifier, TableKind, KindRefusal.Cause) -> Void
  ) {
    let former = formerName(ofTable: table)
    let declared = source?.projection.schema.tables[former]
    for trigger in destination.projection.schema.tables[table]?.triggers ?? [] {
      refuse(table, kind, .trigger(trigger.name))
    }
    for trigger in kinds.triggers[former] ?? []
    where declared?.triggers.contains(where: { $0.name == trigger }) != true {
      refuse(table, kind, .trigger(trigger))
    }
    let own = Set(declared?.relationNames ?? [])
    for (name, columns) in (kinds.uniqueIndexes[former] ?? [:]).sorted(by: { $0.key < $1.key })
    where !own.contains(name) && !kind.keepsUnique(columns) {
      refuse(table, kind, .uniqueInParts(name))
    }
  }

  /// Refuses a change of the schema as a whole that Citus does not make.
  private func refuseSchema(
    _ kinds: TableKinds,
    _ refuse: (SQLIdentifier, TableKind, KindRefusal.Cause) -> Void
  ) {
    let schema = (source ?? destination).projection.schema
    switch schemaDistribution {
    case .added:
      if schema.name == "public" {
        refuse(schema.name, TableKind(), .publicSchema)
      }
      for (table, kind) in kinds.tables.sorted(by: { $0.key < $1.key }) where kind.placement != nil
      {
        refuse(table, kind, .beforeSchema)
      }
    case .removed:
      for table in schema.sortedTables where table.columns.contains(where: \.isIdentity) {
        kinds[table.name].map { refuse(table.name, $0, .keysOfNodes) }
      }
    case nil: break
    }
  }
}

extension Column {
  /// A Boolean value that indicates whether Citus refuses to take its table off the nodes.
  fileprivate var isIdentity: Bool { sequence.map { $0.kind != .serial } ?? false }
}

extension TableKind {
  /// Returns whether the server can keep the values of columns unique over all parts of the table.
  fileprivate func keepsUnique(_ columns: [SQLIdentifier]) -> Bool {
    uniquingColumns.allSatisfy(columns.contains)
  }
}

extension DeferredWork {
  /// The columns that the work makes unique; `nil` if it makes none so.
  fileprivate var uniqueColumns: [SQLIdentifier]? {
    switch self {
    case .buildIndex(let build): build.index.uniqueColumns
    case .addUniqueConstraint(let build): build.constraint.columns
    case .validateConstraint, .setNotNull, .dropIndex: nil
    }
  }
}

extension Index {
  /// The columns that the index keeps unique; `nil` if it keeps none so.
  fileprivate var uniqueColumns: [SQLIdentifier]? {
    isUnique ? elements.compactMap(\.column) : nil
  }
}

extension MigrationOperation {
  /// The column whose type, values or default it changes.
  fileprivate var alteredColumn: SQLIdentifier? {
    switch self {
    case .changeColumnType(let change): change.column
    case .setDefault(let change): change.column
    case .dropNotNull(let change): change.column
    case .dropColumn(let change): change.column
    default: nil  // Nothing else is about one column that is there.
    }
  }

  /// The table that it spreads over nodes, if it does.
  var distribution: SQLIdentifier? {
    switch self {
    case .createTable(let creation): creation.contents.distribution.map { _ in creation.table }
    case .installTable(let installation):
      installation.contents.distribution.map { _ in installation.table }
    case .distributeTable(let change): change.table
    default: nil  // Rows stay where they are.
    }
  }

  /// The name of a constraint or an index that keeps values unique, and its columns.
  fileprivate var addedUniqueness: (SQLIdentifier, [SQLIdentifier])? {
    switch self {
    case .addConstraint(let addition) where addition.constraint.hasIndex:
      (addition.constraint.name, addition.constraint.columns)
    case .createIndex(let creation):
      creation.index.uniqueColumns.map { (creation.index.name, $0) }
    default: nil
    }
  }

  /// The foreign keys that an operation adds.
  var addedForeignKeys: [ForeignKey] {
    switch self {
    case .createTable(let creation): creation.contents.constraints.compactMap(\.foreignKey)
    case .installTable(let installation):
      installation.contents.constraints.compactMap(\.foreignKey)
    case .addColumn(let addition): [addition.reference?.foreignKey].compactMap(\.self)
    case .addConstraint(let addition): [addition.constraint.foreignKey].compactMap(\.self)
    default: []
    }
  }
}

extension ForeignKey {
  /// Returns why a foreign key between tables in such places does not hold; none if it does.
  fileprivate func fault(
    from table: SQLIdentifier,
    _ place: TableKind.Placement?,
    to other: TableKind.Placement?
  ) -> KindRefusal.Cause? {
    switch (place, other) {
    case (_, .reference?), (nil, nil), (nil, .coordinator?), (.coordinator?, nil),
      (.coordinator?, .coordinator?), (.reference?, nil), (.reference?, .coordinator?):
      nil
    case (.distributed?, nil), (.distributed?, .coordinator?), (.singleShard?, nil),
      (.singleShard?, .coordinator?):
      .refersToLocal(references)
    case (nil, _), (.coordinator?, _): .referenced(by: table)
    case (.distributed(let column, _, let first)?, .distributed(let key, _, let second)?)
    where first == second && column == columns.first?.name && key == keys.first?.name:
      nil
    case (.singleShard(let first)?, .singleShard(let second)?) where first == second: nil
    default: .refersElsewhere(references)
    }
  }
}
