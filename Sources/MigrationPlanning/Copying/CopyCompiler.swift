internal import ModelMapping
internal import ObjectModel
internal import SQLSyntax

/// Compiles what of a mapping cannot be done to the tables as they are into a plan for copying.
struct CopyCompiler {
  let source: ModelProjection
  let destination: ModelProjection
  let mapping: CompleteMapping
  var plan: CopyPlan
  /// The schema that the maps of keys are in.
  let mapSchema: SQLIdentifier
  var reads = CopyReads()
  private(set) var faults: [MappingFault] = []
  /// The rows that each entity mapping starts from, by its name.
  private(set) var rows: [String: MappedRows] = [:]
  /// The places of links that nothing is known of.
  var unnumbered: Set<UnnumberedLinks> = []
  /// What the rows are asked before anything is copied.
  var questions: [PlannedPrecondition] = []
  /// Values that the server gives, of which nobody can be asked before.
  var givenValues: Set<SQLFragment> = []
  /// What the table that is being compiled depends on.
  var dependencies: [CopyDependency] = []

  var schema: SQLIdentifier { source.schema.name }
  /// A Boolean value that indicates whether the destination is made beside the source, which stays.
  var isBeside: Bool { mapSchema != plan.stagingSchema }
  var scope: CopyScope { mapping.copyScope }

  init(
    _ mapping: CompleteMapping,
    from source: ModelProjection,
    to destination: ModelProjection,
    stagingSchema: SQLIdentifier,
    mapSchema: SQLIdentifier? = nil
  ) {
    self.mapSchema = mapSchema ?? stagingSchema
    self.mapping = mapping
    self.source = source
    self.destination = destination
    plan = CopyPlan(schema: source.schema.name, stagingSchema: stagingSchema)
  }

  /// Compiles the plan.
  ///
  /// - Throws: Everything in the mapping that cannot be carried out.
  mutating func compile() throws(PlanningError) -> CopyPlan {
    for entity in mapping.mappingModel.entityMappings { addRows(of: entity) }
    for entity in mapping.mappingModel.entityMappings { addConditions(of: entity.name) }
    for name in copiedRootTables { addRootTable(name) }
    for join in scope.joins.sorted(by: {
      ($0.entityName, $0.relationshipName) < ($1.entityName, $1.relationshipName)
    }) {
      addJoinTable(join)
    }
    addPolicies()
    if isBeside { startAllKeys() }
    plan.sources = reads.sources(source.schema.tables)
    guard faults.isEmpty else { throw PlanningError(fact: .unmappable(faults)) }
    return plan
  }

  /// Compiles what people wrote in SQL where no table is made anew.
  ///
  /// - Throws: Everything in it that cannot be carried out.
  mutating func compileTexts() throws(PlanningError) -> CopyPlan {
    addPolicies()
    guard faults.isEmpty else { throw PlanningError(fact: .unmappable(faults)) }
    return plan
  }

  /// The tables of the destination that are made anew.
  static func copiedTables(
    _ scope: CopyScope,
    in destination: ModelProjection
  ) -> Set<SQLIdentifier> {
    let roots = scope.rootNames.compactMap { destination.tables[.root(entity: $0)] }
    let joins = scope.joins.compactMap {
      destination.tables[.join(entity: $0.entityName, $0.relationshipName)]
    }
    return Set(roots + joins)
  }

  private var copiedRootTables: [SQLIdentifier] {
    scope.rootNames.compactMap { destination.tables[.root(entity: $0)] }.sorted()
  }

  mutating func fault(
    _ mappingName: String,
    _ property: String?,
    _ fact: MappingFault.Fact,
    in part: Expression? = nil
  ) {
    let fault = MappingFault(
      mappingName: mappingName,
      propertyName: property,
      part: part,
      fact: fact
    )
    if !faults.contains(fault) { faults.append(fault) }
  }

  mutating func set(_ rows: MappedRows) { self.rows[rows.mapping.name] = rows }

  /// What a statement calls the rows of a table that have changed.
  func changes(of table: SQLIdentifier) -> QualifiedName {
    CopySource(table: table, key: [], carried: [], watched: []).changes
  }

  // MARK: - Expressions

  /// Evaluates an expression over the rows of a mapping, and notes what it reads.
  mutating func evaluate<Value>(
    _ rows: MappedRows,
    _ property: String?,
    alias: SQLIdentifier = MappedRows.sourceAlias,
    notesDependencies: Bool = true,
    _ body: (inout RowExpression) throws(ExpressionFault) -> Value
  ) -> Value? {
    var expression = RowExpression(source, rows.entity, row: "\(alias).", computesDerived: false)
    if let each = rows.each {
      expression.bind("each", each.entity, row: "\(MappedRows.eachAlias).")
    }
    let value: Value
    do {
      value = try body(&expression)
    } catch {
      fault(rows.mapping.name, property, .expression(error), in: expression.faultyPart)
      return nil
    }
    note(expression, of: rows, notesDependencies: notesDependencies)
    return value
  }

  private mutating func note(
    _ expression: RowExpression,
    of rows: MappedRows,
    notesDependencies: Bool
  ) {
    reads.watch(expression.columns, of: rows.table)
    if let each = rows.each { reads.watch(expression.reads(of: "each").columns, of: each.table) }
    for path in expression.paths {
      if notesDependencies { depend(on: path, of: rows) }
      reads.watch(path, from: rows.table)
    }
    for path in expression.reads(of: "each").paths { depend(on: path, ofEachOf: rows) }
    if expression.isOpaque { obstruct("entity mapping \"\(rows.mapping.name)\" has SQL in it") }
    if expression.isVolatile || expression.readsClock {
      obstruct(
        "entity mapping \"\(rows.mapping.name)\" gives other values whenever it is carried out"
      )
    }
  }

  /// Notes why the copy cannot go on while the service writes.
  mutating func obstruct(_ reason: String) {
    if plan.onlineObstacle == nil { plan.onlineObstacle = reason }
  }

  /// Notes that the rows of the table that is being compiled depend on what a way leads to.
  mutating func depend(on path: RelationshipPath, of rows: MappedRows) {
    reads.watch(path, from: rows.table)
    for read in path.sources {
      let condition = path.condition(that: read, has: "\(changes(of: read.table))", in: schema)
      add(CopyDependency(source: read.table, units: rows.units(where: condition, in: schema)))
    }
  }

  /// Notes that they depend on what a way leads to that starts from what there is a row for each of.
  mutating func depend(on path: RelationshipPath, ofEachOf rows: MappedRows) {
    guard let each = rows.each else { return }
    reads.watch(path, from: each.table)
    for read in path.sources {
      let condition = path.condition(that: read, has: "\(changes(of: read.table))", in: schema)
      guard let units = rows.units(whereEach: condition, in: schema) else { continue }
      add(CopyDependency(source: read.table, units: units))
    }
  }

  mutating func add(_ dependency: CopyDependency) {
    if !dependencies.contains(dependency) { dependencies.append(dependency) }
  }

  // MARK: - Statements

  func statement(_ sql: SQLFragment, _ reason: String) -> PlannedStatement {
    PlannedStatement(sql: sql, reason: reason, impact: OperationImpact())
  }
}

extension CopyCompiler {
  /// What gives links their places when all are there.
  var numbering: [MigrationOperation] {
    unnumbered.sorted { ($0.table, $0.position) < ($1.table, $1.position) }.map { links in
      let key =
        destination.schema.tables[links.table]?.constraints.first(where: \.isPrimaryKey)?
        .columns ?? []
      let other = key.filter { $0 != links.owner }
      return .numberLinks(
        NumberLinks(
          table: links.table,
          position: links.position,
          owner: links.owner,
          key: key.count > 1 ? [links.owner] + other : [destination.key(of: links.table)],
          hasPlaces: true
        )
      )
    }
  }
}

/// Links whose places are to be found when all of them are there.
struct UnnumberedLinks: Hashable {
  var table: SQLIdentifier
  var position: SQLIdentifier
  /// The column with the key of those whose links have an order.
  var owner: SQLIdentifier
}
