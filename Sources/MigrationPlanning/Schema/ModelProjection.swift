package import ObjectModel
package import SQLSyntax

/// A model version as tables: where the words of Core Data and those of PostgreSQL meet.
///
/// It is a pure function of the model and the name of the schema, the same for every server.
package struct ModelProjection: Hashable, Sendable {
  /// The version of the rules by which models become tables.
  package static let layoutRules = StorageNames.layoutRules

  /// The model.
  package private(set) var model: ManagedObjectModel
  /// Its tables.
  package private(set) var schema: DatabaseSchema

  /// The table of everything that has one.
  private(set) var tables: [TableOrigin: SQLIdentifier] = [:]
  /// The origin of each table.
  package private(set) var tableOrigins: [SQLIdentifier: TableOrigin] = [:]
  private(set) var columns: [ColumnOrigin: ColumnReference] = [:]
  /// The origin of each column of each table.
  package private(set) var columnOrigins: [SQLIdentifier: [SQLIdentifier: ColumnOrigin]] = [:]
  /// The columns whose values may be too long for an index.
  private(set) var unboundedColumns: Set<ColumnReference> = []

  /// The indexes and constraints that are left out, and why.
  package private(set) var oddities: [ProjectionFault] = []

  /// The indexes that something else has the names of.
  private var indexConcessions: [NameConcession] = []
  /// The derivations of the columns that triggers compute.
  package private(set) var derivations: [ColumnReference: Derivation] = [:]
  /// The only entities of tables without a discriminator yet.
  private(set) var soleEntities: [SQLIdentifier: String] = [:]
  /// The columns that have come back, with the entities whose values are in other ones by now.
  private(set) var outdated: [ColumnReference: Set<String>] = [:]

  /// Projects a model to tables.
  ///
  /// - Parameters:
  ///   - model: A model without errors.
  ///   - schemaName: The schema of the tables.
  ///   - isInterpreted: Whether indexes and constraints that no table can have are left out, as in a model
  ///     of Xcode's, or are faults.
  /// - Throws: Every duplicate name and everything that has no projection.
  package init(
    _ model: ManagedObjectModel,
    schema schemaName: SQLIdentifier,
    isInterpreted: Bool = false
  ) throws(ProjectionError) {
    let layout = TableLayout(model, in: schemaName)
    self.model = model
    schema = layout.schema
    tables = layout.tables
    tableOrigins = layout.tableOrigins
    columns = layout.columns
    columnOrigins = layout.columnOrigins
    unboundedColumns = layout.unboundedColumns
    let objects = SchemaObjects(self, isInterpreted: isInterpreted)
    oddities = objects.oddities
    indexConcessions = objects.concessions
    let faults = layout.faults + objects.faults + wideTables(objects.tables)
    guard faults.isEmpty else { throw ProjectionError(faults: faults) }
    schema.tables = objects.tables
    derivations = objects.derivations
  }

  /// Returns the tables with more columns than the server allows.
  private func wideTables(_ tables: [SQLIdentifier: Table]) -> [ProjectionFault] {
    tables.values.filter { $0.columns.count > 1600 }.sorted { $0.name < $1.name }.map { table in
      var element = ModelElement.model
      if case .root(let name) = tableOrigins[table.name], let root = model.entity(named: name) {
        element = model.element(of: root)
      }
      let fact = ProjectionFault.Fact.tooManyColumns(
        table.columns.count,
        table: table.name.name
      )
      return ProjectionFault(element: element, fact: fact)
    }
  }

  /// Creates the projection of no model.
  init(emptySchema name: SQLIdentifier) {
    model = ManagedObjectModel(entities: [])
    schema = DatabaseSchema(name: name)
  }

  /// The tables, columns and indexes that something else has the usual names of.
  package var concessions: [NameConcession] {
    TableLayout(model, in: schema.name).concessions + indexConcessions
  }

  // MARK: - Lookups

  /// Returns the table that an entity's rows are in, if it can have any.
  package func table(of entity: EntityDescription) -> SQLIdentifier? {
    tables[.root(entity: model.root(of: entity).name)]
  }

  /// Returns the key of the table that an entity's rows are in.
  func key(of entity: EntityDescription) -> SQLIdentifier {
    model.root(of: entity).key.columnName.map { SQLIdentifier($0) } ?? StorageNames.key
  }

  /// Returns the key of a table of a root entity.
  func key(of table: SQLIdentifier) -> SQLIdentifier {
    guard case .root(let name) = tableOrigins[table], let root = model.entity(named: name) else {
      return StorageNames.key
    }
    return key(of: root)
  }

  /// Returns the root of a relationship's destination, if it has a table.
  func target(of relationship: RelationshipDescription) -> EntityDescription? {
    guard let destination = model.entity(named: relationship.destinationEntityName) else {
      return nil
    }
    let root = model.root(of: destination)
    return tables[.root(entity: root.name)] == nil ? nil : root
  }

  /// Returns the columns of a property that an entity declares or inherits: one, or those of all
  /// elements of a composite.
  func columns(ofProperty name: String, seenFrom entity: EntityDescription) -> [SQLIdentifier] {
    for declaring in [entity] + model.superentities(of: entity) {
      if let attribute = declaring.attributes.first(where: { $0.name == name && !$0.isTransient }) {
        return model.leaves(of: AttributePart(attribute)).compactMap { leaf in
          columns[.attribute(entity: declaring.name, name, path: leaf.path)]?.column
        }
      }
      if declaring.relationships.contains(where: { $0.name == name && !$0.isTransient }) {
        return [columns[.reference(entity: declaring.name, name)]?.column].compactMap(\.self)
      }
    }
    return []
  }

  /// Returns the attribute, or the element of one, that a column holds the values of.
  func leaf(in reference: ColumnReference) -> (EntityDescription, AttributePart)? {
    guard
      case .attribute(let entityName, let name, let path) =
        columnOrigins[reference.table]?[reference.column],
      let entity = model.entity(named: entityName),
      let attribute = entity.attributes.first(where: { $0.name == name }),
      let leaf = model.leaves(of: AttributePart(attribute)).first(where: { $0.path == path })
    else { return nil }
    return (entity, leaf)
  }

  /// Returns SQL over the columns of a table.
  func written(_ text: String, over table: SQLIdentifier) -> SQLFragment {
    SQLFragment(written: text, columns: columnOrigins[table].map { Set($0.keys) } ?? [])
  }

  // MARK: - Members of hierarchies

  /// Returns the names of an entity and its subentities that rows can be of.
  func concreteFamily(of entity: EntityDescription) -> [String] {
    model.family(of: entity).filter { !$0.isAbstract }.map(\.name).sorted(by: byBytes)
  }

  /// Returns the condition that a row does not belong to a subentity; `nil` for a root, which all rows
  /// belong to, and for an entity without rows.
  func nonmembership(of entity: EntityDescription) -> SQLFragment? {
    let members = concreteFamily(of: entity)
    guard entity.superentityName != nil, !members.isEmpty else { return nil }
    return members.count == 1
      ? "\(StorageNames.discriminator) <> \(list(members))"
      : "\(StorageNames.discriminator) NOT IN (\(list(members)))"
  }

  /// Returns the condition that a row has a value in a column, or belongs to others.
  func presence(of column: SQLIdentifier, unless others: SQLFragment) -> SQLFragment {
    "\(others) OR \(column) IS NOT NULL"
  }

  /// Returns whether a column has a value in every row of an entity.
  func isRequired(_ column: Column, of table: Table, in entity: EntityDescription) -> Bool {
    if !column.isNullable { return true }
    let checks = model.lineage(of: entity).compactMap { nonmembership(of: $0) }
      .map { presence(of: column.name, unless: $0) }
    return table.constraints.contains { constraint in
      guard case .check(let condition, _) = constraint.definition else { return false }
      return checks.contains(condition)
    }
  }

  /// Returns texts as literals with commas between them.
  func list(_ values: [String]) -> SQLFragment {
    values.map { "\(SQLLiteral.text($0))" as SQLFragment }.joined(separator: ", ")
  }

  /// Returns the concrete entities that a table has rows of.
  func concreteEntities(of table: SQLIdentifier) -> [EntityDescription] {
    guard case .root(let name) = tableOrigins[table], let root = model.entity(named: name) else {
      return []
    }
    return model.family(of: root).filter { !$0.isAbstract }
  }

  /// Returns the condition that a row of a table is of one of some entities; none if all rows are.
  func membership(
    of names: some Collection<String>,
    in table: SQLIdentifier
  ) -> SQLFragment? {
    let all = concreteEntities(of: table).map(\.name)
    let members = Set(names)
    if members.isSuperset(of: all) { return nil }
    if let sole = soleEntities[table] { return members.contains(sole) ? nil : "false" }
    let sorted = all.filter(members.contains).sorted(by: byBytes)
    return sorted.isEmpty ? "false" : "\(StorageNames.discriminator) IN (\(list(sorted)))"
  }

  /// Returns the projection without constraints that hold later.
  package func postponing(_ constraints: [PostponedConstraint]) -> ModelProjection {
    var projection = self
    projection.schema.postpone(constraints)
    return projection
  }

  // MARK: - Remains of other versions

  /// Returns the projection with the remains of another version.
  ///
  /// - Parameters:
  ///   - remains: The tables, columns and indexes, by their current names.
  ///   - model: The model with the elements that they represent.
  /// - Returns: The projection.
  func adding(_ remains: Remains, of model: ManagedObjectModel) -> ModelProjection {
    var projection = self
    projection.model = model
    projection.rename(remains)
    for (table, origin) in remains.tables {
      projection.schema.tables[table.name] = table
      projection.tables[origin] = table.name
      projection.tableOrigins[table.name] = origin
    }
    for (column, table) in remains.columns {
      projection.schema.tables[table]?.columns.append(column)
    }
    for (place, origins) in remains.origins {
      for origin in origins { projection.columns[origin] = place }
      projection.columnOrigins[place.table, default: [:]][place.column] = origins.first
    }
    for (index, table) in remains.indexes { projection.schema.tables[table]?.indexes.append(index) }
    projection.unboundedColumns.formUnion(remains.unboundedColumns)
    projection.outdated = remains.outdated
    projection.soleEntities = remains.soleEntities
    return projection
  }

  /// Has tables and columns stand for entities of other names.
  private mutating func rename(_ remains: Remains) {
    guard !remains.entityNames.isEmpty || !remains.propertyNames.isEmpty else { return }
    tables = Dictionary(
      tables.map { ($0.key.renaming(remains), $0.value) },
      uniquingKeysWith: { first, _ in first }
    )
    tableOrigins = tableOrigins.mapValues { $0.renaming(remains) }
    columns = Dictionary(
      columns.map { ($0.key.renaming(remains), $0.value) },
      uniquingKeysWith: { first, _ in first }
    )
    columnOrigins = columnOrigins.mapValues { $0.mapValues { $0.renaming(remains) } }
  }
}

extension ManagedObjectModel {
  /// Returns an entity, or one of its properties, as a part of the model.
  func element(
    of entity: EntityDescription,
    _ property: (Int) -> ModelElement = ModelElement.entity
  ) -> ModelElement {
    position(ofEntityNamed: entity.name).map(property) ?? .model
  }

  /// Returns an attribute as a part of the model.
  func element(ofAttribute name: String, of entity: EntityDescription) -> ModelElement {
    let index = self.entity(named: entity.name)?.attributes.firstIndex { $0.name == name }
    return element(of: entity) { position in
      index.map { .attribute(entity: position, $0) } ?? .entity(position)
    }
  }
}

/// A column of a table.
package struct ColumnReference: Hashable, Sendable {
  /// The table.
  package var table: SQLIdentifier
  /// The column, of the table.
  package var column: SQLIdentifier

  /// Creates a reference.
  package init(table: SQLIdentifier, column: SQLIdentifier) {
    self.table = table
    self.column = column
  }
}
