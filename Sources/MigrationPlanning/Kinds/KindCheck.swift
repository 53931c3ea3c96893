internal import ObjectModel
internal import SQLSyntax

/// What a step would do to tables that they do not survive as what they are, or that their server only seems to
/// do.
struct KindCheck {
  private let step: MigrationStep
  /// The kinds of the tables before the step, and those after it.
  private let kinds, after: TableKinds
  /// The refusals, each once.
  private(set) var refusals: [KindRefusal] = []

  init(_ step: MigrationStep, _ kinds: TableKinds) {
    self.step = step
    self.kinds = kinds
    guard !kinds.tables.isEmpty || kinds.schemaColocation != nil || step.reachesNodes else {
      after = kinds
      return
    }
    after = kinds.after(step)
    let distributions = step.operations.compactMap(\.distribution)
    guard !step.isIntoSchema else {
      for table in distributions { checkTableBeside(table) }
      return
    }
    checkSchema()
    checkCopy()
    for table in distributions { checkDistribution(of: table) }
    for operation in step.operations { check(operation) }
    for work in step.deferredWork {
      guard let kind = after[work.table], let columns = work.uniqueColumns,
        !kind.keepsUnique(columns)
      else { continue }
      refuse(work.table, kind, .uniqueInParts(work.object))
    }
  }

  private mutating func refuse(
    _ table: SQLIdentifier,
    _ kind: TableKind,
    _ cause: KindRefusal.Cause
  ) {
    let refusal = KindRefusal(table: table, kind: kind, cause: cause)
    if !refusals.contains(refusal) { refusals.append(refusal) }
  }

  // MARK: - Schema

  /// Refuses a change of the schema as a whole that Citus does not make.
  private mutating func checkSchema() {
    let schema = (step.source ?? step.destination).projection.schema
    switch step.schemaDistribution {
    case .added:
      if schema.name == "public" { refuse(schema.name, TableKind(), .publicSchema) }
      for (table, kind) in kinds.tables.sorted(by: { $0.key < $1.key })
      where kind.placement != nil {
        refuse(table, kind, .beforeSchema)
      }
      for table in step.destination.projection.schema.sortedTables {
        guard let kind = after[table.name] else { continue }
        if !kinds.hasCitus { refuse(table.name, kind, .withoutCitus) }
        checkParts(of: table.name, kind)
      }
      // Those that are retained are in the schema, too.
      for (table, triggers) in kinds.triggers.sorted(by: { $0.key < $1.key })
      where step.source?.projection.schema.tables[table] == nil || step.leaves(table) {
        for trigger in triggers { refuse(table, TableKind(), .trigger(trigger)) }
      }
    case .removed:
      for table in schema.sortedTables where table.columns.contains(where: \.isIdentity) {
        kinds[table.name].map { refuse(table.name, $0, .keysOfNodes) }
      }
    case nil: break
    }
  }

  // MARK: - Copies

  /// Refuses to create a distributed table in another schema; one that is on a node with its schema is all right.
  private mutating func checkTableBeside(_ table: SQLIdentifier) {
    guard let kind = after[table], let new = step.destination.projection.schema.tables[table]
    else { return }
    if !kinds.hasCitus {
      refuse(table, kind, .withoutCitus)
    } else if new.distribution != .schema {
      refuse(table, kind, .intoSchema)
    }
    for trigger in new.triggers { refuse(table, kind, .trigger(trigger.name)) }
  }

  /// Refuses to copy tables that none of their kind would take the place of, or on several nodes while others
  /// write.
  private mutating func checkCopy() {
    let declared = step.source?.projection.schema.tables ?? [:]
    for source in step.copy?.sources ?? [] {
      guard let kind = kinds[source.table], !kind.isConverted else { continue }
      let isInSchema = kinds.isInDistributedSchema(source.table)
      let table = declared[source.table]
      let isDivided = kind.partitionKey == nil || table?.partitioning != nil
      let isPlaced =
        kind.placement == nil || isInSchema
        || table?.distribution?.isThat(of: source.table, in: kinds) == true
      if !isDivided || !isPlaced {
        refuse(source.table, kind, .copied)
      } else if kind.placement != nil, step.strategy != .locked {
        refuse(source.table, kind, .copiedMeanwhile)
      }
    }
    let after = step.destination.projection.schema.tables
    for copied in step.copy?.tables ?? [] {
      guard let kind = self.after[copied.name], kind.placement != nil else { continue }
      if step.strategy != .locked { refuse(copied.name, kind, .copiedMeanwhile) }
      guard kinds.schemaColocation != nil, let table = after[copied.name] else { continue }
      if copied.isPartitioned { refuse(copied.name, kind, .copiedWithPartitions) }
      for column in table.columns where column.sequence?.kind == .serial {
        refuse(copied.name, kind, .sequenceOfNodes(column.name))
      }
    }
  }

  // MARK: - Tables

  private mutating func checkDistribution(of table: SQLIdentifier) {
    guard let kind = after[table] else { return }
    if !kinds.hasCitus { refuse(table, kind, .withoutCitus) }
    let layout = step.destination.projection.model.layout
    if kinds.schemaColocation != nil, layout.distribution == .tables {
      refuse(table, kind, .inDistributedSchema)
    }
    if case .distributeTable = step.operations.first(where: { $0.distribution == table }),
      let former = kinds[table], former.isOnOtherNodes, !step.leaves(table)
    {
      refuse(table, former, .elsewhere)
    }
    checkParts(of: table, kind)
  }

  /// Refuses to spread a table with parts that Citus does not carry out on several nodes: those of the model, and
  /// those that people have added.
  private mutating func checkParts(of table: SQLIdentifier, _ kind: TableKind) {
    let former = step.formerName(ofTable: table)
    let declared = step.source?.projection.schema.tables[former]
    for trigger in step.destination.projection.schema.tables[table]?.triggers ?? [] {
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

  // MARK: - Operations

  private mutating func check(_ operation: MigrationOperation) {
    let table = operation.base.table
    for foreignKey in operation.addedForeignKeys { check(foreignKey, of: table) }
    guard let kind = after[table] else { return }
    if let (name, columns) = operation.addedUniqueness, !kind.keepsUnique(columns) {
      refuse(table, kind, .uniqueInParts(name))
    }
    guard kind.isOnOtherNodes else { return }
    let former = step.formerName(ofTable: table)
    if let column = operation.alteredColumn, kind.placement?.column == column.name,
      kinds[former]?.isOnOtherNodes == true, !step.leaves(former)
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
    case .createTable(let creation):
      if case .singleShard = kind.placement, case .range? = creation.contents.partitioning?.method {
        refuse(table, kind, .intervals)
      }
    default: break  // Citus carries it out, or refuses it before anything has changed.
    }
  }

  private mutating func check(_ foreignKey: ForeignKey, of table: SQLIdentifier) {
    let (kind, other) = (after[table], after[foreignKey.references])
    switch foreignKey.fault(from: table, kind?.placement, to: other?.placement) {
    case .referenced:
      other.map { refuse(foreignKey.references, $0, .referenced(by: table)) }
    case .some(let cause): kind.map { refuse(table, $0, cause) }
    case nil: break
    }
  }
}
