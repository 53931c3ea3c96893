internal import ObjectModel
package import PostgresClient
package import SQLSyntax

@testable package import MigrationPlanning

/// Fills the tables of a model version with rows that satisfy all constraints and the model.
///
/// Every table gets the same number of rows, with keys from 1 on, alternating between the entities
/// of a hierarchy; rows without candidates for required links are left out. Links have correct
/// entities at their ends, and positions if they are ordered. Some values of nullable columns are
/// null. The same seed gives the same rows.
package struct RowFiller {
  /// How many rows each table gets.
  package let rowCount: Int
  let projection: ModelProjection
  private var random: SeededGenerator
  /// The keys of the rows of each concrete entity.
  private var keys: [String: [Int]] = [:]

  var schema: DatabaseSchema { projection.schema }

  /// Creates a filler.
  ///
  /// - Parameters:
  ///   - projection: The model as tables.
  ///   - rowCount: The minimum number of rows of each table.
  ///   - seed: The seed.
  package init(_ projection: ModelProjection, rowCount: Int = 8, seed: UInt64 = 1) {
    self.projection = projection
    let largestFamily =
      projection.schema.tables.keys
      .map { projection.concreteEntities(of: $0).count }.max() ?? 0
    self.rowCount = max(rowCount, min(largestFamily * 2 + 2, 24))
    random = SeededGenerator(seed: seed)
    for table in projection.schema.tables.keys {
      for number in 1...self.rowCount {
        guard let entity = entity(number, in: table) else { continue }
        keys[entity.name, default: []].append(number)
      }
    }
    while leavesOutUnlinkable() {}
  }

  /// Leaves rows of an entity out that need links to others of which there are too few.
  private mutating func leavesOutUnlinkable() -> Bool {
    for (name, numbers) in keys.sorted(by: { $0.key < $1.key }) {
      guard let entity = projection.model.entity(named: name) else { continue }
      for (declaring, relationship) in requiredReferences(of: entity) {
        let targets = rows(of: relationship.destinationEntityName)
        let isUnique =
          projection.model.storage(of: relationship, declaredBy: declaring)
          == .ownKey(isUnique: true)
        let owners = rows(of: declaring.name)
        let possible = numbers.filter { number in
          guard isUnique else { return !targets.isEmpty }
          return (owners.firstIndex(of: number) ?? 0) < targets.count
        }
        guard possible.count < numbers.count else { continue }
        keys[name] = possible
        return true
      }
    }
    return false
  }

  private func requiredReferences(
    of entity: EntityDescription
  ) -> [(declaring: EntityDescription, relationship: RelationshipDescription)] {
    projection.model.lineage(of: entity).flatMap { declaring in
      declaring.relationships.filter {
        guard !$0.isToMany, !$0.isOptional, !$0.isTransient else { return false }
        return switch projection.model.storage(of: $0, declaredBy: declaring) {
        case .ownKey: true
        case .inverseKey, .joinTable: false
        }
      }.map { (declaring, $0) }
    }
  }

  /// Inserts the rows in one transaction.
  ///
  /// - Parameter connection: The connection.
  /// - Throws: The server's error.
  package mutating func fill(_ connection: borrowing PostgresConnection) throws(PostgresError) {
    var statements: [SQLFragment] = ["BEGIN", "SET CONSTRAINTS ALL DEFERRED"]
    for table in schema.sortedTables {
      for number in 1...rowCount {
        if let insertion = insertion(number, into: table) { statements.append(insertion) }
      }
      for column in table.columns {
        guard let sequence = column.identitySequence else { continue }
        let name = SQLLiteral.text(schema.qualified(sequence).quoted)
        let last = SQLLiteral.integer(Int64(rowCount))
        statements.append("SELECT setval(\(name)::regclass, \(last))")
      }
    }
    statements.append("COMMIT")
    try connection.execute(statements.joined(separator: ";\n"))
  }

  // MARK: - Rows

  mutating func insertion(_ number: Int, into table: Table) -> SQLFragment? {
    let owner = schema.qualified(table.name)
    var names: [SQLIdentifier] = []
    var values: [SQLFragment] = []
    let pair = link(number, in: table)
    if pair == nil, case .join = projection.tableOrigins[table.name] { return nil }
    if let entity = entity(number, in: table.name), !rows(of: entity.name).contains(number) {
      return nil
    }
    for (position, column) in table.columns.enumerated() where column.generation == nil {
      names.append(column.name)
      if let pair, position < 2 {
        values.append(key(position == 0 ? pair.owner : pair.target, of: column.type))
      } else {
        values.append(value(number, of: column, in: table))
      }
    }
    for (position, name) in names.enumerated() where pair == nil {
      guard let key = projection.owner(ofPosition: name, in: table.name) else { continue }
      let isLinked = names.firstIndex(of: key).map { values[$0] != "NULL" }
      values[position] = isLinked ?? false ? "\(SQLLiteral.integer(Int64(number)))" : "NULL"
    }
    return "INSERT INTO \(owner) (\(names)) VALUES (\(values.joined(separator: ", ")))"
  }

  /// Returns a value of a column.
  ///
  /// - Parameters:
  ///   - number: Makes one value differ from another.
  ///   - column: The column.
  ///   - table: Its table.
  /// - Returns: The value.
  package mutating func value(
    _ number: Int,
    of column: Column,
    in table: Table
  ) -> SQLFragment {
    if column.name == table.key { return key(number, of: column.type) }
    if column.isNullable, !isPresent(column.name, number, in: table) { return "NULL" }
    if column.isNullable, !isCheckedWithOthers(column, in: table), random.once(in: 4) {
      return "NULL"
    }
    if let referenced = reference(of: column, in: table) {
      return reference(number, of: column, in: table, keyType: referenced)
    }
    let listed = listedValues(of: column, in: table)
    if !listed.isEmpty { return "\(SQLLiteral.text(listed[number % listed.count]))" }
    return Self.constant(number, of: column.type)
  }

  private func reference(
    _ number: Int,
    of column: Column,
    in table: Table,
    keyType: SQLTypeName
  ) -> SQLFragment {
    guard case .reference(let name, _) = projection.columnOrigins[table.name]?[column.name] else {
      return "NULL"
    }
    let targets = targets(of: column.name, in: table)
    let isUnique =
      table.indexes.contains { $0.isUnique && $0.columns == [column.name] }
      || table.constraints.contains {
        if case .unique([column.name]) = $0.definition { true } else { false }
      }
    let ordinal = rows(of: name).firstIndex(of: number) ?? 0
    if targets.isEmpty || isUnique && ordinal >= targets.count { return "NULL" }
    return key(targets[ordinal % targets.count], of: keyType)
  }

  // MARK: - Entities

  /// Returns the entity of a row, which the discriminator contains as well.
  private func entity(_ number: Int, in table: SQLIdentifier) -> EntityDescription? {
    let entities = projection.concreteEntities(of: table)
      .sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    return entities.isEmpty ? nil : entities[number % entities.count]
  }

  /// Returns whether a row is of an entity that has the property of a column.
  private func isPresent(_ column: SQLIdentifier, _ number: Int, in table: Table) -> Bool {
    let declaring: String
    switch projection.columnOrigins[table.name]?[column] {
    case .attribute(let name, _, _), .reference(let name, _): declaring = name
    case .key, .discriminator, .position, .joinedDestination, .joinedSource, nil: return true
    }
    guard let entity = entity(number, in: table.name) else { return true }
    return projection.model.lineage(of: entity).contains { $0.name == declaring }
  }

  private func rows(of entityName: String) -> [Int] {
    guard let entity = projection.model.entity(named: entityName) else { return [] }
    return projection.model.family(of: entity).flatMap { keys[$0.name] ?? [] }.sorted()
  }

  /// Returns the rows that a reference may lead to.
  private func targets(of column: SQLIdentifier, in table: Table) -> [Int] {
    guard
      case .reference(let name, let relationshipName) =
        projection.columnOrigins[table.name]?[column],
      let entity = projection.model.entity(named: name),
      let relationship = entity.relationships.first(where: { $0.name == relationshipName })
    else { return [] }
    return rows(of: relationship.destinationEntityName)
  }

  /// Returns the ends of a link, of which no two are the same; none if there are not so many.
  private func link(_ number: Int, in table: Table) -> (owner: Int, target: Int)? {
    guard case .join(let name, let relationshipName) = projection.tableOrigins[table.name],
      let entity = projection.model.entity(named: name),
      let relationship = entity.relationships.first(where: { $0.name == relationshipName })
    else { return nil }
    let owners = rows(of: name)
    let targets = rows(of: relationship.destinationEntityName)
    guard number <= owners.count * targets.count else { return nil }
    return (owners[(number - 1) % owners.count], targets[(number - 1) / owners.count])
  }

  /// Returns a key.
  ///
  /// - Parameters:
  ///   - number: Makes one key differ from another.
  ///   - type: The type of the key.
  /// - Returns: The key.
  package func key(_ number: Int, of type: SQLTypeName) -> SQLFragment {
    switch type.text {
    case "uuid": "\(SQLLiteral.typed(Self.uuid(number), "uuid"))"
    case "text": "\(SQLLiteral.text("key \(number)"))"
    default: "\(SQLLiteral.integer(Int64(number)))"
    }
  }

  private static func uuid(_ number: Int) -> String {
    let digits = String(number)
    return "00000000-0000-0000-0000-" + String(repeating: "0", count: 12 - digits.count) + digits
  }

  /// Returns the type of the key that a column refers to.
  private func reference(of column: Column, in table: Table) -> SQLTypeName? {
    for constraint in table.constraints {
      guard let foreignKey = constraint.foreignKey, foreignKey.column == column.name else {
        continue
      }
      return schema.tables[foreignKey.references]?.column(foreignKey.key)?.type
    }
    return nil
  }

  // MARK: - Checks

  /// Returns whether a condition over several columns may ask for a value.
  private func isCheckedWithOthers(_ column: Column, in table: Table) -> Bool {
    table.constraints.contains {
      if case .check(_, let columns) = $0.definition {
        columns.count > 1 && columns.contains(column.name)
      } else {
        false
      }
    }
  }

  /// Returns the texts that a condition over the column alone lists.
  private func listedValues(of column: Column, in table: Table) -> [String] {
    for constraint in table.constraints {
      guard case .check(let condition, [column.name]) = constraint.definition else { continue }
      return Self.literals(in: condition.text)
    }
    return []
  }

  private static func literals(in text: String) -> [String] {
    let pieces = text.split(separator: "'", omittingEmptySubsequences: false)
    var literals: [String] = []
    var index = 1
    while index < pieces.count {
      var literal = String(pieces[index])
      // A doubled quote leaves an empty piece between two literals.
      while index + 2 < pieces.count, pieces[index + 1].isEmpty {
        index += 2
        literal += "'" + pieces[index]
      }
      literals.append(literal)
      index += 2
    }
    return literals
  }

  // MARK: - Constants

  /// Returns a constant that is another one for each number, where the type has enough of them.
  private static func constant(_ number: Int, of type: SQLTypeName) -> SQLFragment {
    let text: String =
      switch type.text {
      case "smallint", "integer", "bigint": String(number)
      case "double precision", "real": "\(number)"
      case "boolean": number.isMultiple(of: 2) ? "true" : "false"
      case "timestamp with time zone": "2024-02-29 12:00:\(number % 50 + 10)+00"
      case "date": "2024-02-0\(number % 9 + 1)"
      case "time without time zone": "12:00:0\(number % 10)"
      case "interval": "\(number) days"
      case "inet": "10.0.0.\(number % 256)"
      case "uuid": uuid(number)
      case "jsonb": "{\"n\": \(number)}"
      case "bytea": "\\x0\(number % 10)"
      case let name where name.hasSuffix("[]"): "{\(number)}"
      case let name where name.hasPrefix("numeric"): "\(number).25"
      default: "value \(number)"
      }
    return "\(SQLLiteral.typed(text, type))"
  }
}

extension ModelProjection {
  /// Returns the column with the keys of those whose links a column has the places of.
  ///
  /// - Parameters:
  ///   - column: The column.
  ///   - table: Its table.
  /// - Returns: The column with the keys; none if the column has no places of links.
  package func owner(ofPosition column: SQLIdentifier, in table: SQLIdentifier) -> SQLIdentifier? {
    guard case .position(let name, let relationshipName) = columnOrigins[table]?[column],
      let entity = model.entity(named: name),
      let relationship = entity.relationships.first(where: { $0.name == relationshipName })
    else { return nil }
    return linkPlace(of: relationship, declaredBy: entity)?.owner
  }
}
