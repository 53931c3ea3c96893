package import SQLSyntax

/// The kinds of a schema's tables.
package struct TableKinds: Hashable, Sendable {
  /// The kinds, by table; a table without one is an ordinary one.
  package private(set) var tables: [SQLIdentifier: TableKind]
  /// The colocation of the schema's new tables, if Citus distributes the schema as a whole.
  package var schemaColocation: Int?

  /// Creates kinds.
  package init(_ tables: [SQLIdentifier: TableKind] = [:], schemaColocation: Int? = nil) {
    self.tables = tables
    self.schemaColocation = schemaColocation
  }

  /// Returns the kind of a table; `nil` of an ordinary one.
  package subscript(table: SQLIdentifier) -> TableKind? { tables[table] }

  /// Returns the kinds of tables that are not what a schema has, by name.
  package func undeclared(in schema: DatabaseSchema) -> [String: TableKind] {
    var undeclared: [String: TableKind] = [:]
    for (table, kind) in tables {
      guard let declared = schema.tables[table] else { continue }
      let isDeclared = declared.partitioning != nil && kind.placement == nil
      if !isDeclared { undeclared[table.name] = kind }
    }
    return undeclared
  }

  /// The kind of new tables; `nil` if they are ordinary ones.
  var ofNewTables: TableKind? {
    schemaColocation.map { TableKind(placement: .singleShard(colocation: $0)) }
  }

  /// Returns the kinds after a step.
  package func after(_ step: MigrationStep) -> TableKinds {
    var kinds = self
    for table in tables.keys where step.leaves(table) { kinds.tables[table] = nil }
    for rename in step.operations.compactMap(\.rename) where rename.kind == .table {
      kinds.tables[rename.newName] = kinds.tables.removeValue(forKey: rename.name)
    }
    for table in step.newTableNames { kinds.tables[table] = ofNewTables }
    return kinds
  }
}
