package import SQLSyntax

/// The kinds of a schema's tables.
package struct TableKinds: Hashable, Sendable {
  /// The kinds, by table; a table without one is an ordinary one.
  package private(set) var tables: [SQLIdentifier: TableKind]
  /// The colocation of the schema's new tables, if Citus distributes the schema as a whole.
  package var schemaColocation: Int?

  /// The triggers of tables, by table; none without Citus.
  package var triggers: [SQLIdentifier: [SQLIdentifier]] = [:]
  /// The columns of unique indexes, by table and name; none without Citus.
  package var uniqueIndexes: [SQLIdentifier: [SQLIdentifier: [SQLIdentifier]]] = [:]

  /// A Boolean value that indicates whether the database has Citus.
  package var hasCitus: Bool

  /// Creates kinds.
  package init(
    _ tables: [SQLIdentifier: TableKind] = [:],
    schemaColocation: Int? = nil,
    hasCitus: Bool = false
  ) {
    self.tables = tables
    self.schemaColocation = schemaColocation
    self.hasCitus = hasCitus
  }

  /// Returns the kinds of tables under other names.
  ///
  /// - Parameters:
  ///   - names: The new names of tables.
  ///   - columns: The new names of columns, by the old names of the tables.
  /// - Returns: The kinds.
  func renamed(
    _ names: [SQLIdentifier: SQLIdentifier],
    columns: [SQLIdentifier: [SQLIdentifier: SQLIdentifier]]
  ) -> TableKinds {
    guard !tables.isEmpty else { return self }
    var kinds = self
    kinds.tables = [:]
    for (table, var kind) in tables.sorted(by: { $0.key < $1.key }) {
      if case .distributed(let column, let shards, let colocation) = kind.placement,
        let name = columns[table]?[SQLIdentifier(column)]
      {
        kind.placement = .distributed(by: name.name, shards: shards, colocation: colocation)
      }
      kinds.tables[names[table] ?? table] = kind
    }
    return kinds
  }

  /// Returns the kind of a table; `nil` of an ordinary one.
  package subscript(table: SQLIdentifier) -> TableKind? { tables[table] }

  /// A Boolean value that indicates whether rows are on nodes other than the coordinator.
  package var isOnOtherNodes: Bool {
    schemaColocation != nil || tables.values.contains(where: \.isOnOtherNodes)
  }

  /// Returns whether Citus knows any table, before a step or after it.
  ///
  /// It knows tables of the coordinator as well that are connected with such a one by foreign keys.
  func haveTablesOfCitus(in schema: DatabaseSchema) -> Bool {
    tables.values.contains { $0.placement != nil }
      || schema.tables.values.contains { $0.distribution != nil }
  }

  /// Returns the kinds of tables that are not what a schema has, by name.
  package func undeclared(in schema: DatabaseSchema) -> [String: TableKind] {
    var undeclared: [String: TableKind] = [:]
    for (table, kind) in tables {
      guard let declared = schema.tables[table], !kind.isConverted else { continue }
      let isDeclared =
        kind.placement == nil
        ? declared.partitioning != nil : declared.distribution?.isThat(of: table, in: self) == true
      if !isDeclared { undeclared[table.name] = kind }
    }
    return undeclared
  }

  /// Returns whether a table is in the shard of a schema that is distributed as a whole.
  func isInDistributedSchema(_ table: SQLIdentifier) -> Bool {
    guard let schemaColocation else { return false }
    return tables[table]?.placement == .singleShard(colocation: schemaColocation)
  }

  /// The kind of new tables; `nil` if they are ordinary ones.
  var ofNewTables: TableKind? {
    schemaColocation.map { TableKind(placement: .singleShard(colocation: $0)) }
  }

  /// Returns the kinds after a step.
  package func after(_ step: MigrationStep) -> TableKinds {
    var names: [SQLIdentifier: SQLIdentifier] = [:]
    for rename in step.operations.compactMap(\.rename) where rename.kind == .table {
      let former = names.first { $0.value == rename.name }?.key ?? rename.name
      names[former] = rename.newName
    }
    var columns: [SQLIdentifier: [SQLIdentifier: SQLIdentifier]] = [:]
    for rename in step.operations.compactMap(\.rename) {
      guard case .column(let table) = rename.kind else { continue }
      let former = names.first { $0.value == table }?.key ?? table
      let column = columns[former]?.first { $0.value == rename.name }?.key ?? rename.name
      columns[former, default: [:]][column] = rename.newName
    }
    var kinds = self
    if step.schemaDistribution == .removed { kinds.removeSchema() }
    for table in tables.keys where step.leaves(table) { kinds.tables[table] = nil }
    kinds = kinds.renamed(names, columns: columns)
    let copied = step.copy?.tables.map(\.name) ?? []
    for table in step.newTableNames.union(copied) where !names.values.contains(table) {
      kinds.tables[table] = kinds.ofNewTables
    }
    let schema = step.destination.projection.schema
    kinds.place(step.operations.compactMap(\.distribution), in: schema)
    if step.schemaDistribution == .added { kinds.addSchema(of: schema.tables.keys) }
    return kinds
  }

  /// Places the schema as a whole, with its tables; its colocation is not known yet.
  private mutating func addSchema(of names: some Sequence<SQLIdentifier>) {
    let colocation = 0
    schemaColocation = colocation
    for table in names {
      tables[table, default: TableKind()].placement = .singleShard(colocation: colocation)
    }
  }

  /// Takes the schema as a whole off the nodes, with its tables.
  private mutating func removeSchema() {
    for table in tables.keys where isInDistributedSchema(table) { tables[table]?.placement = nil }
    schemaColocation = nil
  }

  /// Places tables as a schema has them; a group of tables that is not there yet has a number below 0.
  private mutating func place(_ placed: [SQLIdentifier], in schema: DatabaseSchema) {
    var groups: [SQLIdentifier: (shards: Int, colocation: Int)] = [:]
    for (table, kind) in tables where !placed.contains(table) {
      guard case .distributed(_, let shards, let colocation) = kind.placement else { continue }
      groups[schema.colocation(of: table)] = (shards, colocation)
    }
    for table in placed {
      guard let distribution = schema.tables[table]?.distribution, distribution != .schema else {
        continue
      }
      guard let column = distribution.column else {
        tables[table, default: TableKind()].placement = .reference
        continue
      }
      let name = schema.colocation(of: table)
      let group = groups[name] ?? (0, min(0, groups.values.map(\.colocation).min() ?? 0) - 1)
      groups[name] = group
      tables[table, default: TableKind()].placement =
        .distributed(by: column.name, shards: group.shards, colocation: group.colocation)
    }
  }
}
