internal import ModelMapping
internal import ObjectModel
internal import SQLSyntax

/// The input of the compilation: two versions, the mapping between them, and the schemas that the
/// copy uses.
struct CopyRequest {
  let mapping: CompleteMapping
  let source: ModelProjection
  let destination: ModelProjection
  /// Where the tables are until they have their rows.
  let staging: Staging
  /// The schema of the maps of keys.
  let mapSchema: SQLIdentifier

  /// The places of tables that get their rows.
  enum Staging {
    /// In the schema of the maps.
    case apart
    /// In the schema of the store, under other names: Citus moves the rows of a table to another node if the
    /// table is moved to another schema.
    case renamed
    /// In a schema of their own, which they keep; the source stays as it is.
    case beside
  }

  /// A Boolean value that indicates whether the copy fills another schema and leaves the source as it is.
  var isBeside: Bool { staging == .beside }
  /// The schema that the tables are filled in.
  var stagingSchema: SQLIdentifier {
    staging == .apart ? mapSchema : destination.schema.name
  }
  var schema: SQLIdentifier { source.schema.name }
  var scope: CopyScope { mapping.copyScope }
  var entityMappings: [EntityMapping] { mapping.mappingModel.entityMappings }
  var copiedTables: Set<SQLIdentifier> { destination.copiedTables(scope) }

  /// The schema that the copy creates.
  var madeSchema: SQLIdentifier { isBeside ? stagingSchema : mapSchema }

  /// Returns the name that a table or sequence of the destination has while rows are copied.
  func staged(_ name: SQLIdentifier) -> QualifiedName {
    QualifiedName(
      schema: stagingSchema,
      name: staging == .renamed ? StorageNames.staged(name) : name
    )
  }

  /// Returns whether a value is read from tables that rows are copied to.
  func readsStaged(_ value: SQLFragment) -> Bool {
    let names = value.identifiers
    guard staging == .renamed else { return names.contains(stagingSchema) }
    return copiedTables.map(StorageNames.staged).contains(where: names.contains)
  }
}

extension ModelProjection {
  /// Returns the tables of this version that a copy creates.
  func copiedTables(_ scope: CopyScope) -> Set<SQLIdentifier> {
    let roots = scope.rootNames.compactMap { tables[.root(entity: $0)] }
    let joins = scope.joins.compactMap { tables[.join(entity: $0.entityName, $0.relationshipName)] }
    return Set(roots + joins)
  }

  func keyType(of table: SQLIdentifier) -> SQLTypeName {
    schema.tables[table]?.column(key(of: table))?.type ?? "bigint"
  }
}
