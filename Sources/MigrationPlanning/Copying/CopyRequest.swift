internal import ModelMapping
internal import ObjectModel
internal import SQLSyntax

/// The input of the compilation: two versions, the mapping between them, and the schemas that the
/// copy uses.
struct CopyRequest {
  let mapping: CompleteMapping
  let source: ModelProjection
  let destination: ModelProjection
  /// The schema that the tables are filled in.
  let stagingSchema: SQLIdentifier
  /// The schema of the maps of keys.
  let mapSchema: SQLIdentifier

  /// A Boolean value that indicates whether the copy fills another schema and leaves the source as it is.
  var isBeside: Bool { mapSchema != stagingSchema }
  var schema: SQLIdentifier { source.schema.name }
  var scope: CopyScope { mapping.copyScope }
  var entityMappings: [EntityMapping] { mapping.mappingModel.entityMappings }
  var copiedTables: Set<SQLIdentifier> { destination.copiedTables(scope) }

  /// Returns the name that a table or sequence of the destination has while rows are copied.
  func staged(_ name: SQLIdentifier) -> QualifiedName {
    QualifiedName(schema: stagingSchema, name: name)
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
