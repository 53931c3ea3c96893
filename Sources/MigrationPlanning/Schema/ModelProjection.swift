public import ObjectModel
public import SQLSyntax

/// A model version as tables: where the words of Core Data and those of PostgreSQL meet.
///
/// It is a pure function of the model and the name of the schema, the same for every server.
public struct ModelProjection: Hashable, Sendable {
  /// The version of the rules by which models become tables.
  public static let layoutRules = StorageNames.layoutRules

  /// The model.
  public private(set) var model: ManagedObjectModel
  /// Its tables.
  public private(set) var schema: DatabaseSchema

  /// The table of everything that has one.
  private(set) var tables: [TableOrigin: SQLIdentifier] = [:]
  /// What each table stands for.
  package private(set) var tableOrigins: [SQLIdentifier: TableOrigin] = [:]
  /// Where the columns of everything are.
  private(set) var columns: [ColumnOrigin: ColumnReference] = [:]
  /// What each column of each table stands for.
  package private(set) var columnOrigins: [SQLIdentifier: [SQLIdentifier: ColumnOrigin]] = [:]
  /// The columns whose values may be too long for an index.
  private(set) var unboundedColumns: Set<ColumnReference> = []

  /// How the columns are kept that triggers compute.
  package private(set) var derivations: [ColumnReference: Derivation] = [:]
  /// The only entities of tables whose rows are not told apart yet.
  private(set) var soleEntities: [SQLIdentifier: String] = [:]
  /// The columns that have come back, with the entities whose values are in other ones by now.
  private(set) var outdated: [ColumnReference: Set<String>] = [:]

  private var faults: [ProjectionFault] = []

  /// Lays a model out as tables.
  ///
  /// - Parameters:
  ///   - model: A model without errors.
  ///   - schemaName: The schema that the tables are to be in.
  /// - Throws: Every name that two things would share and everything that cannot be laid out.
  public init(_ model: ManagedObjectModel, schema schemaName: SQLIdentifier) throws(ProjectionError)
  {
    self.model = model
    schema = DatabaseSchema(name: schemaName)
    columns.reserveCapacity(
      model.entities.reduce(0) { $0 + $1.attributes.count + $1.relationships.count + 2 }
    )
    for root in model.rootEntities { addTable(of: root) }
    for root in model.rootEntities { addRelationships(of: root) }
    addObjects()
    guard faults.isEmpty else { throw ProjectionError(faults: faults) }
  }

  /// Creates the projection of no model.
  init(emptySchema name: SQLIdentifier) {
    model = ManagedObjectModel(entities: [])
    schema = DatabaseSchema(name: name)
  }

  // MARK: - Building

  mutating func fault(_ element: ModelElement, _ fact: ProjectionFault.Fact) {
    faults.append(ProjectionFault(element: element, fact: fact))
  }

  mutating func addTable(_ table: Table, for origin: TableOrigin, _ element: ModelElement) {
    guard schema.tables[table.name] == nil else {
      return fault(element, .sharedTable(table.name.name))
    }
    guard table.name.name.utf8.count <= SQLIdentifier.maximumLength, !table.name.name.isEmpty else {
      return fault(element, .unusableName(table.name.name))
    }
    schema.tables[table.name] = table
    tables[origin] = table.name
    tableOrigins[table.name] = origin
  }

  mutating func addColumn(
    _ column: Column,
    to table: SQLIdentifier,
    for origin: ColumnOrigin,
    _ element: ModelElement
  ) {
    guard columnOrigins[table, default: [:]][column.name] == nil else {
      return fault(element, .sharedColumn(column.name.name, table: table.name))
    }
    guard column.name.name.utf8.count <= SQLIdentifier.maximumLength, !column.name.name.isEmpty
    else {
      return fault(element, .unusableName(column.name.name))
    }
    schema.tables[table]?.columns.append(column)
    columnOrigins[table, default: [:]][column.name] = origin
    columns[origin] = ColumnReference(table: table, column: column.name)
  }

  mutating func note(_ derivation: Derivation, of column: ColumnReference) {
    derivations[column] = derivation
  }

  mutating func noteUnbounded(_ origin: ColumnOrigin) {
    if let reference = columns[origin] { unboundedColumns.insert(reference) }
  }

  /// Returns the projection with what is still there of another version.
  ///
  /// - Parameters:
  ///   - remains: The tables, columns and indexes, under the names that they have.
  ///   - model: The model with what they stand for.
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

  mutating func withTable(_ name: SQLIdentifier, _ body: (inout Table) -> Void) {
    guard var table = schema.tables.removeValue(forKey: name) else { return }
    body(&table)
    schema.tables[name] = table
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
