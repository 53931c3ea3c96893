package import SQLSyntax

/// The tables that a model version has in one schema of a database.
package struct DatabaseSchema: Hashable, Sendable {
  /// The schema's name.
  package let name: SQLIdentifier
  /// The tables by name.
  package var tables: [SQLIdentifier: Table]

  /// Creates a schema.
  package init(name: SQLIdentifier, tables: [Table] = []) {
    self.name = name
    self.tables = Dictionary(tables.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// A constraint that needs the extension `btree_gist`, and its table; none if there is no such
  /// constraint.
  package var needOfBtreeGist: (table: SQLIdentifier, constraint: SQLIdentifier)? {
    for table in sortedTables {
      for constraint in table.constraints {
        guard case .exclusion(let exclusion) = constraint.definition else { continue }
        let families = exclusion.columns.compactMap { table.column($0)?.type.family }
        // Only the server knows what types of extensions need.
        if !families.allSatisfy({ $0 == .range || $0 == .other }) {
          return (table.name, constraint.name)
        }
      }
    }
    return nil
  }

  /// The tables in the order of their names.
  package var sortedTables: [Table] { tables.inOrder.map(\.value) }

  /// The foreign keys by the tables that they refer to, in the order of their own tables' names.
  var referringKeys: [SQLIdentifier: [(table: Table, key: ForeignKey)]] {
    var keys: [SQLIdentifier: [(table: Table, key: ForeignKey)]] = [:]
    for table in sortedTables {
      for foreignKey in table.constraints.compactMap(\.foreignKey) {
        keys[foreignKey.references, default: []].append((table, foreignKey))
      }
    }
    return keys
  }

  /// Returns the name of something in this schema with the schema.
  package func qualified(_ name: SQLIdentifier) -> QualifiedName {
    QualifiedName(schema: self.name, name: name)
  }
}

extension Dictionary where Key: Comparable {
  /// The values in the order of their keys; sorting the keys alone moves no values about.
  var inOrder: [(key: Key, value: Value)] {
    keys.sorted().compactMap { key in self[key].map { (key, $0) } }
  }
}
