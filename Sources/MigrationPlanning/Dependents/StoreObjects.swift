internal import ObjectModel
package import SQLSyntax

/// The names of a store's objects, which distinguish them from others.
package struct StoreObjects: Hashable, Sendable {
  /// The schema.
  package let schema: SQLIdentifier
  /// The tables, those that are retained included.
  package let tables: Set<SQLIdentifier>
  /// The constraints, indexes, sequences and triggers of the tables.
  package let parts: Set<Part>

  /// The columns, those that are retained included; none of tables that are retained as a whole.
  package let columns: Set<Part>

  /// The staging schema, which has only objects of the store.
  package let stagingSchema: SQLIdentifier?

  /// The schemas of the views by which versions are served, which steps take care of themselves.
  package let interfaceSchemas: Set<SQLIdentifier>

  /// The columns whose values the server computes, or takes from their own sequences; those that are
  /// retained may be such.
  package let generatedColumns: Set<Part>

  /// Something that belongs to a table.
  package struct Part: Hashable, Sendable {
    /// The table.
    package let table: SQLIdentifier
    /// The name of the part.
    package let name: SQLIdentifier

    /// Creates the name of something that belongs to a table.
    package init(table: SQLIdentifier, name: SQLIdentifier) {
      self.table = table
      self.name = name
    }
  }

  /// Creates the names of the objects of a schema and of retained ones.
  ///
  /// - Parameters:
  ///   - schema: The schema.
  ///   - retained: The retained objects.
  ///   - stagingSchema: The staging schema for rebuilt tables, if there is one.
  ///   - interfaces: The versions that are served, if their views are not to count as users.
  package init(
    _ schema: DatabaseSchema,
    retained: [RetainedObject],
    stagingSchema: SQLIdentifier? = nil,
    besides interfaces: [VersionInterface] = []
  ) {
    self.schema = schema.name
    self.stagingSchema = stagingSchema
    interfaceSchemas = Set(interfaces.map(\.schema))
    tables = Set(schema.tables.keys).union(retained.map(\.table))
    var parts: Set<Part> = []
    for table in schema.tables.values {
      let names =
        table.relationNames + table.constraints.map(\.name) + table.triggers.map(\.name)
      parts.formUnion(names.map { Part(table: table.name, name: $0) })
    }
    for object in retained {
      parts.formUnion(object.relationNames.map { Part(table: object.table, name: $0) })
    }
    self.parts = parts
    let retainedColumns = retained.compactMap { object in
      object.column.map { Part(table: object.table, name: $0) }
    }
    columns = Set(retainedColumns).union(
      schema.tables.values.flatMap { table in
        table.columns.map { Part(table: table.name, name: $0.name) }
      }
    )
    generatedColumns = Set(
      schema.tables.values.flatMap { table in
        table.columns.filter { $0.generation != nil || $0.sequence?.kind == .serial }
          .map { Part(table: table.name, name: $0.name) }
      } + retainedColumns
    )
  }
}
