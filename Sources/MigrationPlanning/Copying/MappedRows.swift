internal import ModelMapping
internal import ObjectModel
internal import SQLSyntax

/// The source rows of an entity mapping, by their names in statements: `source`, `each` for those
/// that `forEach` iterates, and `map` for the map of their keys.
struct MappedRows {
  let mapping: EntityMapping
  /// The entity whose rows are taken.
  let entity: EntityDescription
  /// The entity that they become rows of.
  let target: EntityDescription
  /// The attributes of that entity, inherited ones included.
  let targetAttributes: [AttributeDescription]
  /// The schema of the source.
  let schema: SQLIdentifier
  /// The table of the rows that are taken.
  let table: SQLIdentifier
  /// The key of that table.
  let key: SQLIdentifier
  /// The table of that entity.
  let targetTable: SQLIdentifier
  /// The rows that `forEach` iterates; `nil` without it.
  let each: Each?
  /// The map of the keys; none if the rows keep theirs.
  var map: MapNames?
  /// The rows that a policy creates in code; `nil` if the server creates all.
  let made: MadeNames?
  /// The conditions on the rows of the source.
  var conditions: [SQLFragment] = []
  /// The order in which one of several rows is chosen.
  var choice: [SQLFragment] = []
  /// The columns of the source's table that decide whether a row takes part, and which row it
  /// becomes.
  var decidingColumns: Set<SQLIdentifier> = []
  /// The paths from such a row that decide this.
  var decidingPaths: [RelationshipPath] = []

  /// The rows that a relationship leads to.
  struct Each {
    let entity: EntityDescription
    let table: SQLIdentifier
    /// The key of the table.
    let key: SQLIdentifier
    let place: LinkPlace
  }

  /// The tables of a map of keys.
  struct MapNames {
    /// The keys of the source and `dst`, the key in the destination.
    let members: QualifiedName
    /// The values that are distinct and `dst`; none if each row has a key of its own.
    let keys: QualifiedName?
    /// The expressions that are distinct, and their types.
    var values: [(column: SQLIdentifier, type: SQLTypeName, value: SQLFragment)] = []

    static let source: SQLIdentifier = "src"
    static let each: SQLIdentifier = "each"
    static let destination: SQLIdentifier = "dst"
    /// Whether a row of the destination is this row of the source's first of all.
    static let isFirst: SQLIdentifier = "first"
  }

  /// The table of the rows that a policy creates.
  ///
  /// If the policy decides the number of rows, it is also the map of their keys.
  struct MadeNames {
    /// The keys in the destination and the values; of a map the keys of the source, too.
    let table: QualifiedName
    /// The columns of the values.
    let columns: [PropertyPath: SQLIdentifier]
  }

  static let sourceAlias: SQLIdentifier = "source"
  static let eachAlias: SQLIdentifier = "each"
  static let mapAlias: SQLIdentifier = "map"
  static let madeAlias: SQLIdentifier = "remodel_made"

  /// The mapping as the only one, for looking up where properties come from.
  func pairing(_ source: ManagedObjectModel, _ destination: ManagedObjectModel) -> ModelPairing {
    ModelPairing(MappingModel(entityMappings: [mapping]), from: source, to: destination)
  }

  /// Returns the origin of a property's value.
  func valueExpression(of property: String) -> ValueExpression? {
    propertyMapping(of: property)?.valueExpression
  }

  func propertyMapping(of property: String) -> PropertyMapping? {
    (mapping.attributeMappings + mapping.relationshipMappings).first { $0.name == property }
  }

  func fault(
    _ property: String?,
    _ fact: MappingFault.Fact,
    in part: Expression? = nil
  ) -> MappingFault {
    MappingFault(mappingName: mapping.name, propertyName: property, part: part, fact: fact)
  }

  /// Evaluates an expression over the rows.
  ///
  /// - Returns: The value, and the expression with its reads.
  func evaluate<Value>(
    in projection: ModelProjection,
    for property: String? = nil,
    alias: SQLIdentifier = Self.sourceAlias,
    _ body: (inout RowExpression) throws(ExpressionFault) -> Value
  ) throws(MappingFault) -> (value: Value, expression: RowExpression) {
    var expression = RowExpression(projection, entity, row: "\(alias).", computesDerived: false)
    if let each { expression.bind("each", each.entity, row: "\(Self.eachAlias).") }
    // Whether a row takes part, and which one it becomes, is decided before there is one.
    if let property {
      expression.beingSet = [property]
      expression.destination = DestinationRow(
        mapping: mapping,
        attributes: targetAttributes,
        madeValue: madeValue
      )
    }
    do {
      let value = try body(&expression)
      return (value, expression)
    } catch {
      throw fault(property, .expression(error), in: expression.faultyPart)
    }
  }

  // MARK: - In statements

  var relation: QualifiedName { qualified(table) }
  /// The key of a row of the source.
  var sourceKey: SQLFragment { "\(Self.sourceAlias).\(key)" }

  private func qualified(_ table: SQLIdentifier) -> QualifiedName {
    QualifiedName(schema: schema, name: table)
  }

  /// The rows of the source without the map of their keys, for `FROM`.
  var sourceOrigin: SQLFragment {
    guard let each else { return "\(relation) AS \(Self.sourceAlias)" }
    let other = qualified(each.table)
    if each.place.isInTarget {
      return """
        \(other) AS \(Self.eachAlias) JOIN \(relation) AS \(Self.sourceAlias) \
        ON \(sourceKey) = \(Self.eachAlias).\(each.place.owner)
        """
    }
    return """
      \(qualified(each.place.table)) AS "link" JOIN \(relation) AS \(Self.sourceAlias) \
      ON \(sourceKey) = "link".\(each.place.owner) \
      JOIN \(other) AS \(Self.eachAlias) \
      ON \(Self.eachAlias).\(each.key) = "link".\(each.place.target)
      """
  }

  /// The rows of the source with the map of their keys, for `FROM`.
  var origin: SQLFragment {
    guard let map else { return sourceOrigin }
    let origin: SQLFragment = """
      \(map.members) AS \(Self.mapAlias) JOIN \(relation) AS \(Self.sourceAlias) \
      ON \(sourceKey) = \(Self.mapAlias).\(MapNames.source)
      """
    guard let each else { return origin }
    return """
      \(origin) JOIN \(qualified(each.table)) AS \(Self.eachAlias) \
      ON \(Self.eachAlias).\(each.key) = \(Self.mapAlias).\(MapNames.each)
      """
  }

  /// The rows of the source with the map of their keys and the values of a policy, for `FROM`.
  var originWithMade: SQLFragment {
    guard let made, !mapping.countsRowsInCode else { return origin }
    return """
      \(origin) JOIN \(made.table) AS \(Self.madeAlias) \
      ON \(Self.madeAlias).\(MapNames.destination) = \(unit)
      """
  }

  /// The conditions that follow an existing one.
  var furtherConditions: SQLFragment {
    conditions.map { " AND \($0)" as SQLFragment }.joined(separator: "")
  }

  /// Returns the condition that a row is one of these, whatever a mapping asks of it besides.
  func membership(in projection: ModelProjection, alias: SQLIdentifier) -> SQLFragment? {
    guard projection.membership(of: [entity.name], in: table) != nil else { return nil }
    return "\(alias).\(StorageNames.discriminator) = \(SQLLiteral.text(entity.name))"
  }

  /// The value of an attribute that a policy sets; none if it does not.
  func madeValue(of property: PropertyPath) -> SQLFragment? {
    made?.columns[property].map {
      "\(mapping.countsRowsInCode ? Self.mapAlias : Self.madeAlias).\($0)"
    }
  }

  /// Returns whether a value is one that a policy sets.
  func isMade(_ value: SQLFragment) -> Bool {
    made?.columns.keys.contains { madeValue(of: $0) == value } ?? false
  }

  /// Returns whether a value is that of a column that always has one.
  func isRequiredColumn(_ value: SQLFragment, in projection: ModelProjection) -> Bool {
    let tables = projection.schema.tables
    let isOfRow =
      tables[table]?.columns.contains {
        value == "\(Self.sourceAlias).\($0.name)" && isRequired($0, in: projection)
      } ?? false
    guard !isOfRow, let each else { return isOfRow }
    return tables[each.table]?.columns.contains {
      !$0.isNullable && value == "\(Self.eachAlias).\($0.name)"
    } ?? false
  }

  /// Returns whether a column of the source has a value in every one of these rows.
  func isRequired(_ column: Column, in projection: ModelProjection) -> Bool {
    projection.schema.tables[table].map { projection.isRequired(column, of: $0, in: entity) }
      ?? false
  }

  /// The key that a row has in the destination.
  var unit: SQLFragment {
    if map != nil { return "\(Self.mapAlias).\(MapNames.destination)" }
    return each.map { "\(Self.eachAlias).\($0.key)" } ?? sourceKey
  }

  /// The table whose rows tell which rows there are.
  var drivingTable: SQLIdentifier {
    guard let each else { return table }
    return map == nil ? each.table : each.place.table
  }

  /// The key of that table, of rows that keep their keys.
  var drivingKey: SQLIdentifier { each?.key ?? key }

  /// The relation and the column that hold all units.
  var domain: (relation: QualifiedName, column: SQLIdentifier) {
    if let map { return (map.keys ?? map.members, MapNames.destination) }
    return (qualified(drivingTable), drivingKey)
  }

  // MARK: - Units

  /// Returns a query for the units of the rows of the source that a condition holds for; columns have
  /// no prefix in it.
  func units(where condition: SQLFragment) -> SQLFragment {
    units(ofSources: "SELECT \(key) FROM \(relation) WHERE \(condition)")
  }

  /// Returns the same query for the rows that `forEach` iterates; `nil` without it.
  func units(whereEach condition: SQLFragment) -> SQLFragment? {
    each.map {
      units(ofEach: "SELECT \($0.key) FROM \(qualified($0.table)) WHERE \(condition)")
    }
  }

  /// Returns a query for the units of rows of the source, given a query for their keys.
  private func units(ofSources keys: SQLFragment) -> SQLFragment {
    if let map {
      return """
        SELECT \(MapNames.destination) FROM \(map.members) WHERE \(MapNames.source) IN (\(keys))
        """
    }
    guard let each else { return keys }
    return "SELECT \(each.key) FROM \(qualified(each.table)) WHERE \(each.place.owner) IN (\(keys))"
  }

  private func units(ofEach keys: SQLFragment) -> SQLFragment {
    guard let map else { return keys }
    return "SELECT \(MapNames.destination) FROM \(map.members) WHERE \(MapNames.each) IN (\(keys))"
  }

  /// Which units follow from changed rows of the tables that the rows are joined of.
  var dependencies: [CopyDependency] {
    let changes = CopySource.changes(of: table)
    let own = CopyDependency(
      source: table,
      units: units(ofSources: "SELECT \(key) FROM \(changes)")
    )
    guard let each else { return [own] }
    let eachChanges = CopySource.changes(of: each.table)
    let other = CopyDependency(
      source: each.table,
      units: units(ofEach: "SELECT \(each.key) FROM \(eachChanges)")
    )
    guard let map else { return [own, other] }
    let links = CopyDependency(
      source: each.place.table,
      units: """
        SELECT \(MapNames.destination) FROM \(map.members) WHERE \
        (\(MapNames.source), \(MapNames.each)) IN (SELECT \(each.place.owner), \
        \(each.place.target) FROM \(CopySource.changes(of: each.place.table)))
        """
    )
    return [own, links, other]
  }
}

extension EntityMapping {
  /// A Boolean value that indicates whether authored SQL creates the rows.
  var makesWrittenRows: Bool { policy.statements[.createDestinationInstances] != nil }

  /// A Boolean value that indicates whether authored SQL creates the links.
  var makesWrittenLinks: Bool { policy.statements[.createRelationships] != nil }
}
