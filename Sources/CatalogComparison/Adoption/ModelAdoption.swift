internal import Diagnostics
internal import MigrationPlanning
package import ObjectModel
package import SQLSyntax

/// A model derived from the tables of a schema, and the list of objects that it cannot describe.
///
/// It is a pure function of the catalog. The server decides whether the model creates the same
/// tables again; objects that differ are left out of the next draft.
package struct ModelAdoption {
  /// The model.
  package private(set) var model = ManagedObjectModel(entities: [])
  /// The objects of the schema's tables that the model does not have.
  package private(set) var unexpressed: [UnexpressedObject] = []

  /// The objects to leave out of a model.
  package struct Omissions: Hashable, Sendable {
    /// Tables that no entity can represent, and why.
    package var tables: [String: UnexpressedObject.Reason] = [:]
    /// Constraints and indexes that the model cannot describe, and why.
    package var parts: [CatalogObject: UnexpressedObject.Reason] = [:]
    /// Columns whose defaults are written as SQL.
    package var verbatimDefaults: Set<CatalogObject> = []

    /// Creates a list of nothing.
    package init() {}
  }

  let schema: SQLIdentifier
  let omissions: Omissions
  /// The tables that entities represent, by name.
  private(set) var tables: [String: CatalogTable] = [:]
  var joinTables: [CatalogTable] = []
  private(set) var scope = AdoptionScope(schema: "", keys: [:])
  /// The entities by their tables.
  var entities: [String: EntityDescription] = [:]
  /// The names of properties that are taken, by table.
  var names: [String: AdoptedNames] = [:]
  /// The properties of columns, by table and column.
  var properties: [CatalogObject: String] = [:]
  /// The foreign keys that are relationships.
  var references: Set<CatalogObject> = []

  /// Derives a model.
  ///
  /// - Parameters:
  ///   - catalog: The tables.
  ///   - schema: Their schema.
  ///   - omissions: The objects to leave out.
  package init(of catalog: [CatalogTable], in schema: SQLIdentifier, without omissions: Omissions) {
    self.schema = schema
    self.omissions = omissions
    classify(catalog)
    addEntities()
    addRelationships()
    addJoinTables()
    addParts()
    model = ManagedObjectModel(entities: sortedEntities)
    addNames()
    listUnexpressed()
  }

  private var sortedEntities: [EntityDescription] {
    entities.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.map(\.value)
  }

  mutating func leaveAlone(_ object: UnexpressedObject) {
    guard !unexpressed.contains(where: { $0.subject == object.subject }) else { return }
    unexpressed.append(object)
  }

  // MARK: - Tables

  /// Sorts tables into those that entities represent and join tables.
  private mutating func classify(_ catalog: [CatalogTable]) {
    var candidates: [CatalogTable] = []
    // Partitions are rows of their table.
    for table in catalog where !table.isPartition {
      if let reason = omissions.tables[table.name] ?? AdoptionScope.obstacle(to: table)
        ?? Self.obstacle(toColumnsOf: table)
      {
        leaveAlone(UnexpressedObject(table: table.name, reason))
        continue
      }
      if let record = MigrationToolRecord(table) {
        leaveAlone(UnexpressedObject(table: table.name, .recordOf(tool: record.tool)))
        continue
      }
      guard let key = table.primaryKey else {
        leaveAlone(UnexpressedObject(table: table.name, .noKey))
        continue
      }
      guard key.isPlain, !key.isDeferrable else {
        leaveAlone(UnexpressedObject(table: table.name, .unusualKey))
        continue
      }
      if table.entityKey == nil { candidates.append(table) } else { tables[table.name] = table }
    }
    var keys: [String: CatalogColumn] = [:]
    for table in tables.values {
      keys[table.name] = table.entityKey.flatMap { table.column($0) }
    }
    scope = AdoptionScope(schema: schema.name, keys: keys)
    for table in candidates {
      if JoinedTable(table, scope) != nil {
        joinTables.append(table)
      } else {
        leaveAlone(UnexpressedObject(table: table.name, .compositeKey))
      }
    }
  }

  private static func obstacle(toColumnsOf table: CatalogTable) -> UnexpressedObject.Reason? {
    for column in table.columns where column.attributeType == nil {
      return .unspeakableType(column: column.name, column.type)
    }
    return nil
  }

  // MARK: - Entities

  private mutating func addEntities() {
    var entityNames = AdoptedNames()
    for (name, table) in tables.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
      guard let key = scope.keys[name], let type = key.attributeType else { continue }
      let keyType = KeyDescription.KeyType(type)
      entities[name] =
        EntityDescription(
          name: entityNames.unique(AdoptedNames.upperCamelCase(name)),
          key: KeyDescription(
            keyType,
            columnName: key.name == StorageNames.key.name ? nil : key.name,
            generation: key.generation(of: keyType)
          ),
          storage: Dictionary(
            uniqueKeysWithValues: StorageParameter.allCases.compactMap { parameter in
              table.storage[parameter.rawValue].flatMap(parameter.value(ofServer:))
                .map { (parameter.rawValue, $0) }
            }
          )
        )
        .inTable(name)
      names[name] = AdoptedNames()
      for column in table.columns where column.name != key.name {
        addAttribute(column, of: table)
      }
      let partitioning = partitioning(of: table)
      entities[name]?.partitioning = partitioning
    }
  }

  /// Adds an attribute, unless a relationship is to have the column.
  private mutating func addAttribute(_ column: CatalogColumn, of table: CatalogTable) {
    if table.constraints.contains(where: { isReference($0, by: column.name, table) }) { return }
    guard var type = column.attributeType else { return }
    if type == .string, let values = enumeration(of: column, table)?.values {
      type = .enumeration(values)
    }
    if table.ordersValues(of: column.name), type.traits.indexMethod != .btree {
      // Of a type of ours, the index would be another one.
      type = .sql(column.type)
    }
    let address = CatalogObject(.column, table: table.name, name: column.name)
    let name = names[table.name, default: AdoptedNames()]
      .unique(AdoptedNames.lowerCamelCase(column.name))
    properties[address] = name
    var attribute = AttributeDescription(
      name: name,
      type: type,
      isOptional: column.isNullable,
      columnName: explicitColumn(column.name, of: name)
    )
    if let expression = column.generation {
      attribute.generationExpression = expression
    } else if let numbering = column.numbering {
      attribute.numbering = numbering
    } else if let expression = column.defaultExpression {
      attribute.defaultValue =
        omissions.verbatimDefaults.contains(address) ? nil : column.constant(of: type)
      if attribute.defaultValue == nil { attribute.defaultExpression = expression }
    }
    entities[table.name]?.attributes.append(attribute)
  }

  /// Returns how the table of an entity, whose attributes are there, is divided.
  private func partitioning(of table: CatalogTable) -> PartitioningDescription? {
    guard let found = table.partitioning,
      let adopted = try? AdoptedPartitioning(of: table, found)
    else { return nil }
    let address = CatalogObject(.column, table: table.name, name: adopted.column)
    let name = properties[address]
    switch (adopted.division, name) {
    case (.range(let every, let ahead), let name?):
      return PartitioningDescription(.range(attribute: name, every: every), ahead: ahead)
    case (.list(let values), let name?):
      let attribute = entities[table.name]?.attributes.first { $0.name == name }
      var isEverything = false
      if case .enumeration(let all) = attribute?.type { isEverything = Set(all) == Set(values) }
      return PartitioningDescription(.list(attribute: name, values: isEverything ? nil : values))
    case (.hash(let count), _):
      return PartitioningDescription(.hash(attribute: name, partitions: count))
    case (.range, nil), (.list, nil): return nil
    }
  }

  /// Returns the constraint by which a column has one of some values.
  func enumeration(
    of column: CatalogColumn,
    _ table: CatalogTable
  ) -> (constraint: CatalogConstraint, values: [String])? {
    for constraint in table.constraints where isExpressible(constraint, of: table) {
      guard constraint.kind == .check, constraint.columns == [column.name],
        let values = DeparsedExpression.values(
          of: constraint.expression ?? "",
          column: column.name
        ), Set(values).count == values.count, !values.contains("")
      else { continue }
      return (constraint, values)
    }
    return nil
  }

  /// Returns whether a model may have a constraint, as far as is known.
  func isExpressible(_ constraint: CatalogConstraint, of table: CatalogTable) -> Bool {
    let address = CatalogObject(.constraint, table: table.name, name: constraint.name)
    return omissions.parts[address] == nil && scope.obstacle(to: constraint, of: table) == nil
  }

  /// Returns whether a constraint is the foreign key of a relationship.
  func isReference(
    _ constraint: CatalogConstraint,
    by column: String,
    _ table: CatalogTable
  ) -> Bool {
    constraint.kind == .foreignKey && constraint.columns == [column]
      && isExpressible(constraint, of: table)
  }

  // MARK: - What is left

  /// Lists the objects of the model's tables that it does not have.
  private mutating func listUnexpressed() {
    for (object, reason) in omissions.parts { leaveAlone(UnexpressedObject(.part(object), reason)) }
    for table in Array(tables.values) + joinTables {
      for object in scope.unexpressedParts(of: table) { leaveAlone(object) }
    }
    unexpressed.sort { ($0.part ?? CatalogObject(.schema)) < ($1.part ?? CatalogObject(.schema)) }
  }

  /// Gives the model names of constraints, indexes and sequences where ours would be others.
  private mutating func addNames() {
    guard let projection = try? ModelProjection(model, schema: schema) else { return }
    let catalog = Dictionary(
      (Array(tables.values) + joinTables).map { ($0.name, $0) },
      uniquingKeysWith: { first, _ in first }
    )
    for table in projection.schema.sortedTables {
      guard let found = catalog[table.name.name], let owner = projection.owner(of: table.name),
        let place = tables.keys.first(where: { entities[$0]?.name == owner })
      else { continue }
      for (ours, name) in table.names(in: found) where ours != name {
        entities[place]?.objectNames[ours] = name
      }
    }
    model = ManagedObjectModel(entities: sortedEntities)
  }
}

extension ModelProjection {
  /// Returns the entity that names the parts of a table.
  fileprivate func owner(of table: SQLIdentifier) -> String? {
    switch tableOrigins[table] {
    case .root(let entity), .join(let entity, _): entity
    case nil: nil
    }
  }
}

extension ModelAdoption {
  /// Returns the tables that the model cannot describe as it is written, each with its fault.
  package func faults() -> [String: String] {
    var faults: [String: String] = [:]
    func add(_ element: ModelElement, _ message: String) {
      var element = element
      while true {
        if case .entity(let index) = element, model.entities.indices.contains(index) {
          let table = StorageNames.table(of: model.entities[index]).name
          if faults[table] == nil { faults[table] = message }
          return
        }
        guard let enclosing = element.enclosing else { return }
        element = enclosing
      }
    }
    for complaint in model.complaints() where complaint.severity == .error {
      add(complaint.element, complaint.diagnostic(in: model).message)
    }
    guard faults.isEmpty else { return faults }
    do {
      _ = try ModelProjection(model, schema: schema)
    } catch {
      for fault in error.faults { add(fault.element, fault.diagnostic.message) }
    }
    return faults
  }
}

extension ModelAdoption.Omissions {
  /// Leaves out an object that the model does not describe exactly, or its whole table if the
  /// object cannot be left out by itself.
  package mutating func leaveOut(_ drift: Drift, of tables: [CatalogTable]) {
    let object = drift.object
    let reason = UnexpressedObject.Reason.differs(expected: drift.expected, actual: drift.actual)
    let isThere = tables.contains { table in
      table.name == object.table
        && (object.kind == .constraint && table.constraints.contains { $0.name == object.name }
          || object.kind == .index && table.indexes.contains { $0.name == object.name })
    }
    let isKey = tables.contains { $0.name == object.table && $0.primaryKey?.name == object.name }
    if object.kind == .column, drift.change == .changed, !verbatimDefaults.contains(object) {
      verbatimDefaults.insert(object)
    } else if isThere, !isKey, parts[object] == nil {
      parts[object] = reason
    } else if !object.table.isEmpty {
      if self.tables[object.table] == nil { self.tables[object.table] = reason }
    }
  }
}
