internal import MigrationPlanning
internal import SQLSyntax

/// The tables that entities represent, which decides what a model can describe of them.
struct AdoptionScope {
  /// The schema of the tables.
  let schema: String
  /// The column that is the key of each table of an entity.
  let keys: [String: CatalogColumn]

  /// Creates the scope of tables by their keys.
  init(schema: String, keys: [String: CatalogColumn]) {
    self.schema = schema
    self.keys = keys
  }

  /// Creates the scope of the tables that a version has as well.
  init(of tables: [CatalogTable], in schema: DatabaseSchema) {
    var keys: [String: CatalogColumn] = [:]
    for table in tables {
      guard let ours = schema.tables[SQLIdentifier(table.name)],
        let key = ours.key
      else { continue }
      keys[table.name] = table.column(key.name)
    }
    self.init(schema: schema.name.name, keys: keys)
  }

  // MARK: - Tables

  /// Returns the reason why no entity can represent a table, or `nil` if one can.
  static func obstacle(to table: CatalogTable) -> UnexpressedObject.Reason? {
    guard table.kind == "r" || table.kind == "p" else { return .notATable }
    if table.isChild || !table.children.isEmpty { return .inheritance }
    if let partitioning = table.partitioning {
      do {
        _ = try AdoptedPartitioning(of: table, partitioning)
      } catch {
        return error.reason
      }
    }
    guard table.persistence == "p" else { return .unlogged }
    if table.isTyped { return .typedTable }
    if let column = table.columns.first(where: { $0.generation != nil && !$0.isStored }) {
      return .virtualColumn(column.name)
    }
    return nil
  }

  // MARK: - Constraints

  /// Returns why a model has no words for a constraint, whatever else it has; none if it may have.
  func obstacle(
    to constraint: CatalogConstraint,
    of table: CatalogTable
  ) -> UnexpressedObject.Reason? {
    guard constraint.isValidated else { return .notValid }
    switch constraint.kind {
    case .exclusion: return constraint.isPlain ? nil : .exclusion
    case .check: return constraint.isPlain ? nil : .unusualConstraint
    case .primaryKey, .unique:
      guard constraint.isPlain, !constraint.isDeferrable else { return .unusualConstraint }
      guard constraint.kind == .unique, let key = keys[table.name],
        constraint.columns.contains(key.name)
      else { return nil }
      return .partOfKey(key.name)
    case .foreignKey: return obstacle(toForeignKey: constraint, of: table)
    }
  }

  private func obstacle(
    toForeignKey constraint: CatalogConstraint,
    of table: CatalogTable
  ) -> UnexpressedObject.Reason? {
    guard constraint.columns.count == 1, let name = constraint.columns.first,
      let referenced = constraint.referencedTable
    else { return .severalColumns }
    if let other = constraint.referencedSchema, other != schema { return .otherSchema(other) }
    guard let key = keys[referenced] else { return .tableWithoutEntity(referenced) }
    guard constraint.referencedColumns == [key.name] else { return .notTheKey(referenced) }
    guard constraint.isPlain else { return .unusualConstraint }
    if keys[table.name]?.name == name { return .columnIsKey(name) }
    if table.partitionColumn == name { return .columnDividesRows(name) }
    guard let column = table.column(name), column.type == key.type else { return .otherType(name) }
    if column.isMade { return .columnIsMade(name) }
    let first = table.constraints.first {
      $0.kind == .foreignKey && $0.columns == [name] && $0.isValidated
        && $0.referencedSchema == schema && keys[$0.referencedTable ?? ""] != nil
    }
    return first?.name == constraint.name ? nil : .columnIsTaken(name)
  }

  // MARK: - All that belongs to a table

  /// Returns the objects of a table that no model can describe.
  ///
  /// - Parameters:
  ///   - table: The table of an entity or a relationship.
  ///   - modelled: The objects that the model has nevertheless.
  /// - Returns: The objects to leave alone.
  func unexpressedParts(
    of table: CatalogTable,
    besides modelled: Set<CatalogObject> = []
  ) -> [UnexpressedObject] {
    let constraints = table.constraints.compactMap { constraint in
      obstacle(to: constraint, of: table).map {
        UnexpressedObject(.constraint, constraint.name, of: table.name, $0)
      }
    }
    let indexes = table.indexes.filter { !$0.isValid }.map {
      UnexpressedObject(.index, $0.name, of: table.name, .invalidIndex)
    }
    let sequences = table.columns.filter { !$0.isSerial && $0.identity == nil }
      .compactMap(\.sequence)
    let others: [(CatalogObject.Kind, [String], UnexpressedObject.Reason)] = [
      (.sequence, sequences, .ownSequence), (.trigger, table.triggers, .trigger),
      (.rule, table.rules, .rule),
      (.policy, table.policies, .policy), (.child, table.children, .child),
    ]
    let parts =
      constraints + indexes
      + others.flatMap { kind, names, reason in
        names.map { UnexpressedObject(kind, $0, of: table.name, reason) }
      }
    return parts.filter { $0.part.map { !modelled.contains($0) } ?? true }
  }
}

extension UnexpressedObject {
  /// The object, if it is a table or belongs to one.
  package var part: CatalogObject? {
    if case .part(let object) = subject { object } else { nil }
  }
}
