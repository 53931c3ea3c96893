internal import ModelMapping
internal import ObjectModel
internal import SQLSyntax

/// The rows of the source that an entity mapping makes rows of the destination from, as statements
/// call them: `source`, what a `forEach` leads to `each`, and the map of their keys `map`.
struct MappedRows {
  let mapping: EntityMapping
  /// The entity whose rows are taken.
  let entity: EntityDescription
  /// The entity whose rows are made.
  let target: EntityDescription
  /// The table of the rows that are taken.
  let table: SQLIdentifier
  /// The key of that table.
  let key: SQLIdentifier
  /// What there is a row for each of; none if that are the rows of the source themselves.
  var each: Each?
  /// The map of the keys; none if the rows keep theirs.
  var map: MapNames?
  /// What a policy makes of the rows in code; none if the server does all.
  var made: MadeNames?
  /// What is asked of the rows of the source.
  var conditions: [SQLFragment] = []
  /// The order in which one of several rows is chosen.
  var choice: [SQLFragment] = []
  /// The columns of the source's table that say whether a row takes part, and which row it becomes.
  var decidingColumns: Set<SQLIdentifier> = []
  /// The ways from such a row over relationships that say so.
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
  }

  /// The table of what a policy makes of the rows.
  ///
  /// Where the policy decides how many rows there are, it is the map of their keys as well.
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

  /// Returns the mapping of a property.
  func mapping(of property: String) -> PropertyMapping? {
    (mapping.attributeMappings + mapping.relationshipMappings).first { $0.name == property }
  }

  // MARK: - In statements

  /// The rows of the source without the map of their keys, as what comes after `FROM`.
  func sourceOrigin(in schema: SQLIdentifier) -> SQLFragment {
    let source = QualifiedName(schema: schema, name: table)
    guard let each else { return "\(source) AS \(Self.sourceAlias)" }
    let other = QualifiedName(schema: schema, name: each.table)
    if each.place.isInTarget {
      return """
        \(other) AS \(Self.eachAlias) JOIN \(source) AS \(Self.sourceAlias) \
        ON \(Self.sourceAlias).\(key) = \(Self.eachAlias).\(each.place.owner)
        """
    }
    let links = QualifiedName(schema: schema, name: each.place.table)
    return """
      \(links) AS "link" JOIN \(source) AS \(Self.sourceAlias) \
      ON \(Self.sourceAlias).\(key) = "link".\(each.place.owner) \
      JOIN \(other) AS \(Self.eachAlias) \
      ON \(Self.eachAlias).\(each.key) = "link".\(each.place.target)
      """
  }

  /// The rows of the source with the map of their keys, as what comes after `FROM`.
  func origin(in schema: SQLIdentifier) -> SQLFragment {
    guard let map else { return sourceOrigin(in: schema) }
    let source = QualifiedName(schema: schema, name: table)
    let origin: SQLFragment = """
      \(map.members) AS \(Self.mapAlias) JOIN \(source) AS \(Self.sourceAlias) \
      ON \(Self.sourceAlias).\(key) = \(Self.mapAlias).\(MapNames.source)
      """
    guard let each else { return origin }
    return """
      \(origin) JOIN \(QualifiedName(schema: schema, name: each.table)) AS \(Self.eachAlias) \
      ON \(Self.eachAlias).\(each.key) = \(Self.mapAlias).\(MapNames.each)
      """
  }

  /// The rows of the source with the map of their keys and with what a policy makes of them, as what
  /// comes after `FROM`.
  func originWithMade(in schema: SQLIdentifier) -> SQLFragment {
    guard let made, !mapping.countsRowsInCode else { return origin(in: schema) }
    return """
      \(origin(in: schema)) JOIN \(made.table) AS \(Self.madeAlias) \
      ON \(Self.madeAlias).\(MapNames.destination) = \(unit)
      """
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

  /// The key that a row has in the destination.
  var unit: SQLFragment {
    if map != nil { return "\(Self.mapAlias).\(MapNames.destination)" }
    return each.map { "\(Self.eachAlias).\($0.key)" } ?? "\(Self.sourceAlias).\(key)"
  }

  /// The table whose rows tell which rows there are.
  var drivingTable: SQLIdentifier {
    guard let each else { return table }
    return map == nil ? each.table : each.place.table
  }

  /// The key of that table, of rows that keep their keys.
  var drivingKey: SQLIdentifier { each?.key ?? key }

  /// The relation and the column that hold all units.
  func domain(in schema: SQLIdentifier) -> (relation: QualifiedName, column: SQLIdentifier) {
    if let map { return (map.keys ?? map.members, MapNames.destination) }
    return (QualifiedName(schema: schema, name: drivingTable), drivingKey)
  }

  // MARK: - Units

  /// Returns a query for the units of the rows of the source that a condition holds for; columns have
  /// no prefix in it.
  func units(where condition: SQLFragment, in schema: SQLIdentifier) -> SQLFragment {
    let source = QualifiedName(schema: schema, name: table)
    let keys: SQLFragment = "SELECT \(key) FROM \(source) WHERE \(condition)"
    return units(ofSources: keys, isDriving: each == nil && map == nil, in: schema)
  }

  /// Returns a query for the units of those that there is a row for each of and that a condition
  /// holds for; columns have no prefix in it.
  func units(whereEach condition: SQLFragment, in schema: SQLIdentifier) -> SQLFragment? {
    guard let each else { return nil }
    let table = QualifiedName(schema: schema, name: each.table)
    let keys: SQLFragment = "SELECT \(each.key) FROM \(table) WHERE \(condition)"
    guard let map else { return keys }
    return "SELECT \(MapNames.destination) FROM \(map.members) WHERE \(MapNames.each) IN (\(keys))"
  }

  /// Returns a query for the units of rows of the source, given a query for their keys.
  private func units(
    ofSources keys: SQLFragment,
    isDriving: Bool,
    in schema: SQLIdentifier
  ) -> SQLFragment {
    if let map {
      return """
        SELECT \(MapNames.destination) FROM \(map.members) WHERE \(MapNames.source) IN (\(keys))
        """
    }
    guard let each, !isDriving else { return keys }
    let other = QualifiedName(schema: schema, name: each.table)
    return "SELECT \(each.key) FROM \(other) WHERE \(each.place.owner) IN (\(keys))"
  }

  /// Returns queries for the units of changed rows of the tables that the rows are joined of.
  func dependencies(
    _ changes: (SQLIdentifier) -> QualifiedName,
    in schema: SQLIdentifier
  ) -> [CopyDependency] {
    let keys: SQLFragment = "SELECT \(key) FROM \(changes(table))"
    var dependencies = [
      CopyDependency(
        source: table,
        units: units(ofSources: keys, isDriving: each == nil && map == nil, in: schema)
      )
    ]
    guard let each else { return dependencies }
    if let map {
      dependencies.append(
        CopyDependency(
          source: each.place.table,
          units: """
            SELECT \(MapNames.destination) FROM \(map.members) WHERE \
            (\(MapNames.source), \(MapNames.each)) IN (SELECT \(each.place.owner), \
            \(each.place.target) FROM \(changes(each.place.table)))
            """
        )
      )
      dependencies.append(
        CopyDependency(
          source: each.table,
          units: """
            SELECT \(MapNames.destination) FROM \(map.members) WHERE \(MapNames.each) IN \
            (SELECT \(each.key) FROM \(changes(each.table)))
            """
        )
      )
    } else {
      dependencies.append(
        CopyDependency(
          source: each.table,
          units: "SELECT \(each.key) FROM \(changes(each.table))"
        )
      )
    }
    return dependencies
  }
}
