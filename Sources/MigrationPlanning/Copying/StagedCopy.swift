internal import ModelMapping
internal import ObjectModel
internal import SQLSyntax

/// A copy with the operations of its tables: those in the staging schema, and those after the
/// tables are in place.
struct StagedCopy {
  let copy: CompiledCopy
  let strategy: CopyStrategy
  /// All that is done to the tables of the store.
  private(set) var operations: [MigrationOperation] = []
  /// The foreign keys that are validated when all is in its place.
  private(set) var unvalidatedReferences: [UnvalidatedReference] = []
  private var notes: CopyNotes
  /// The bare tables.
  private var creations: [CreateTable] = []
  /// Constraints and indexes that filled tables get before they are moved to their places.
  private var completions: [MigrationOperation] = []
  private let changes: SchemaChanges

  var stagingSchema: SQLIdentifier { copy.request.stagingSchema }

  /// Divides operations.
  ///
  /// - Parameters:
  ///   - copy: The copy.
  ///   - operations: The operations without those of the copy, unordered.
  ///   - changes: The changes that they are from.
  ///   - strategy: How the rows are copied.
  init(
    _ copy: CompiledCopy,
    among operations: [MigrationOperation],
    of changes: SchemaChanges,
    by strategy: CopyStrategy
  ) {
    self.copy = copy
    self.strategy = strategy
    self.changes = changes
    notes = copy.notes
    divide(operations + copy.numbering)
    if strategy != .locked { postponeValidations() }
  }

  private mutating func divide(_ all: [MigrationOperation]) {
    let copied = changes.match.copiedTables
    // Rows of these are deleted and inserted again while others write, which must not reach others.
    let unreferenced =
      strategy == .online ? copy.tables.filter(\.replacesChangedRows).map(\.name) : []
    let referenced = copied.subtracting(unreferenced)
    var finished = DatabaseSchema(name: stagingSchema)
    let colocations = StagedColocations(of: changes.match, copy.request)
    for case .createTable(var creation) in all where copied.contains(creation.table) {
      creation.partitions = partitions(of: creation.contents)
      creation.apply(to: &finished)
      colocations.place(&creation)
      creations.append(creation)
    }
    creations = colocations.ordered(creations)
    var staged: Set<MigrationOperation> = []
    for operation in all where copied.contains(operation.base.table) {
      guard operation.base.completesTable(among: referenced) else { continue }
      // Changes are copied again table by table, which only what can be deferred puts up with.
      if strategy == .online, operation.isImmediateReference { continue }
      if isLocalReference(operation) { continue }
      completions.append(operation)
      staged.insert(operation)
      operation.base.apply(to: &finished)
    }
    operations = all.filter { !staged.contains($0) }.map { operation in
      guard case .createTable(let creation) = operation,
        let contents = finished.tables[creation.table]
      else { return colocations.besideInstalled(operation) }
      let former =
        copy.request.isBeside ? nil : copy.mapped.formerSequence(of: creation.table)
      return .installTable(
        InstallTable(
          contents: contents,
          staged: copy.request.staged(creation.table),
          formerSequence: former.flatMap { Self.lastName(of: $0, all) }
        )
      )
    }
  }

  /// Returns whether an operation has a table on the coordinator refer to one that is on all nodes, whereupon Citus makes
  /// another table of it.
  private func isLocalReference(_ operation: MigrationOperation) -> Bool {
    let tables = changes.match.destination.schema.tables
    return tables[operation.base.table]?.distribution == nil
      && operation.addedForeignKeys.contains { tables[$0.references]?.distribution == .reference }
  }

  /// Returns the partitions of a copied table: they are in their place from the beginning, and there is one
  /// for each value that the table gets.
  private func partitions(of table: Table) -> PartitionCreation? {
    guard let partitioning = table.partitioning,
      let copied = copy.tables.first(where: { $0.name == table.name }),
      let position = copied.columns.firstIndex(of: partitioning.column)
    else { return nil }
    let queries = copied.feeds.filter { $0.insertion == nil }.map { feed in
      "SELECT \(feed.values[position]) FROM \(feed.origin)" as SQLFragment
    }
    return PartitionCreation(
      of: copy.request.staged(table.name),
      partitioning,
      in: copy.request.destination.schema.name,
      values: queries.isEmpty ? nil : queries.joined(separator: " UNION ALL ")
    )
  }

  /// Returns the last name of a sequence; none if it is dropped.
  private static func lastName(
    of sequence: SQLIdentifier,
    _ operations: [MigrationOperation]
  ) -> SQLIdentifier? {
    var name = sequence
    for operation in operations {
      if let rename = operation.rename, rename.name == name { name = rename.newName }
      if case .dropTable(let drop) = operation,
        drop.contents.columns.contains(where: { $0.identitySequence == sequence })
      {
        return nil
      }
    }
    return name
  }

  /// Has the foreign keys validated later for which that can be done.
  private mutating func postponeValidations() {
    let copied = changes.match.copiedTables
    for index in operations.indices {
      guard case .addConstraint(var addition) = operations[index],
        let reference = UnvalidatedReference(addition, of: changes, stagingSchema: stagingSchema)
      else { continue }
      addition.isValidatedLater = true
      addition.isOfPartitions = reference.isOfPartitions
      operations[index] = .addConstraint(addition)
      unvalidatedReferences.append(reference)
      // Tables that stay are watched, too, where they may come to refer to a row that is left out.
      guard copied.contains(reference.referencedTable), let rows = reference.rows,
        rows.table.schema != stagingSchema
      else { continue }
      let target = changes.match.source.schema.tables[rows.table.name]?.constraints
        .first { $0.columns == [rows.column] && $0.referencedTable != nil }?.referencedTable
      let isSafe = target.map {
        copy.mapped.leavingEntities(of: $0, in: reference.referencedTable).isEmpty
      }
      if isSafe != true { notes.watch(rows.key + [rows.column], of: rows.table.name) }
    }
  }

  // MARK: - Plan

  /// Returns the plan of the copy.
  ///
  /// - Parameters:
  ///   - openings: The statements before the first row is copied.
  ///   - validations: The authored queries for faults.
  ///   - carriedParts: The parts that the tables get from those that they replace.
  ///   - createsSchema: Whether to create the staging schema.
  /// - Returns: The plan.
  func plan(
    openings: [PlannedStatement],
    validations: [PlannedStatement],
    carriedParts: [CarriedPart] = [],
    createsSchema: Bool = true
  ) -> CopyPlan {
    var creations = creations
    var keys: [MigrationOperation] = []
    if !needsKeysFirst {
      for index in creations.indices {
        for constraint in creations[index].contents.constraints where constraint.isPrimaryKey {
          keys.append(
            .addConstraint(AddConstraint(table: creations[index].table, constraint: constraint))
          )
        }
        creations[index].contents.constraints.removeAll(where: \.isPrimaryKey)
      }
    }
    let madeSchema = copy.request.madeSchema
    let schemaCreation = PlannedStatement(
      sql: "CREATE SCHEMA \(madeSchema)",
      reason: "create schema \"\(madeSchema)\" for tables that are rebuilt",
      madeSchema: madeSchema
    )
    // Citus refuses ANALYZE in a transaction that has written rows; each node analyzes its shards by itself.
    let gathered = creations.filter {
      $0.contents.distribution == nil && copy.request.staging != .renamed
    }
    let statistics = gathered.map { creation in
      PlannedStatement(
        sql: "ANALYZE \(copy.request.staged(creation.table))",
        reason: "gather statistics of table \"\(creation.table)\"",
        places: [StatementPlace(made: creation.table)]
      )
    }
    return CopyPlan(
      schema: copy.request.schema,
      stagingSchema: madeSchema,
      sources: notes.sources(changes.match.source.schema.tables),
      maps: copy.keyMaps.maps,
      rowPolicies: copy.keyMaps.rowPolicies,
      tables: copy.tables,
      preparation: (createsSchema ? [schemaCreation] : [])
        + statements(creations.map { .createTable($0) }) + copy.preparation,
      openings: openings,
      keyStarts: copy.keyStarts,
      mappingNames: copy.request.entityMappings.map(\.name),
      writtenMaps: copy.keyMaps.writtenMaps,
      closings: copy.written.closings,
      validations: validations,
      keys: statements(keys),
      completion: statements(completions.filter { !$0.hasReference }) + statistics
        + statements(completions.filter(\.hasReference)),
      unvalidatedReferences: unvalidatedReferences,
      carriedParts: carriedParts,
      onlineObstacle: notes.onlineObstacle
    )
  }

  /// A Boolean value that indicates whether rows are looked up by key while they are copied; without, the
  /// server takes half of the time.
  private var needsKeysFirst: Bool {
    switch strategy {
    case .locked, .filled: return false
    case .gated, .online:
      // People's SQL may repeat a key, which has to be found; and rows are compared before it ends them.
      if !copy.tables.allSatisfy(\.isDerivable) || !copy.written.closings.isEmpty { return true }
      // A row that has become one of another entity meanwhile is copied once.
      return strategy == .online && copy.tables.contains(where: \.hasSharedUnits)
    }
  }

  private func statements(_ operations: [MigrationOperation]) -> [PlannedStatement] {
    let isRenamed = copy.request.staging == .renamed
    let copied = changes.match.copiedTables
    let tables = changes.match.destination.schema.tables.values
    let staged = DatabaseSchema(
      name: stagingSchema,
      tables: isRenamed ? tables.map { $0.staged(among: copied) } : Array(tables)
    )
    return operations.flatMap { operation -> [PlannedStatement] in
      let (table, summary) = (operation.base.table, operation.base.summary)
      let operation = isRenamed ? operation.staged(among: copied) : operation
      let texts: [SQLFragment] =
        switch operation.base.sql(in: stagingSchema) {
        case .statements(let texts): texts
        case .clauses(let clauses):
          ["ALTER TABLE \(copy.request.staged(table))\n  \(clauses.joined(separator: ",\n  "))"]
        }
      let works = operation.base.rowWork(in: staged)
      // Nobody else sees these tables.
      return texts.enumerated().map { index, text in
        PlannedStatement(
          sql: text,
          reason: summary,
          lockedObjects: operation.base.lockedObjects(in: staged),
          rowWork: works.indices.contains(index) ? works[index] : [],
          places: [StatementPlace(made: table)]
        )
      }
    }
  }
}

extension MigrationOperation {
  /// A Boolean value that indicates whether it adds a foreign key that every statement is checked by.
  fileprivate var isImmediateReference: Bool {
    guard case .addConstraint(let addition) = self else { return false }
    return addition.constraint.foreignKey?.deferrability == .notDeferrable
  }

  /// A Boolean value that indicates whether it adds a reference to another table.
  fileprivate var hasReference: Bool {
    guard case .addConstraint(let addition) = self else { return false }
    return addition.constraint.referencedTable != nil
  }
}
