import ModelMapping
import ObjectModel
import RemodelKit
import SQLSyntax
import TestSupport

@testable import MigrationPlanning

/// What users write between the steps, and what it makes of what stood in earlier versions.
extension ReturnTrip {
  /// Changes, deletes and adds some rows of a version; what the server refuses is left out.
  func write(
    to position: Int,
    _ connection: borrowing PostgresConnection,
    _ random: inout SeededGenerator
  ) throws {
    let projection = projections[position]
    let filler = RowFiller(projection, seed: seed &+ UInt64(position))
    for table in projection.schema.sortedTables {
      guard case .root = projection.tableOrigins[table.name], let key = table.key else { continue }
      let name = projection.schema.qualified(table.name)
      let keys = try connection.query("SELECT \(key)::text AS key FROM \(name) ORDER BY 1")
        .compactMap { $0["key"] }
      for column in table.columns
      where column.name != key && column.generation == nil && random.once(in: 3) {
        guard let chosen = random.pick(keys) else { break }
        let value = value(of: column, in: table, projection, filler, &random)
        guard let value else { continue }
        let condition = isHeld(column, in: table, projection)
        _ = try? connection.execute(
          """
          UPDATE \(name) SET \(column.name) = \(value) \
          WHERE \(key)::text = \(SQLLiteral.text(chosen))\(condition)
          """
        )
      }
      if deletesRows, random.once(in: 4), let chosen = random.pick(keys) {
        _ = try? connection.execute(
          "DELETE FROM \(name) WHERE \(key)::text = \(SQLLiteral.text(chosen))"
        )
      }
      if deletesRows, random.once(in: 4), let chosen = random.pick(keys),
        let column = table.column(key)
      {
        let others = table.columns.filter { $0.name != key && $0.generation == nil }.map(\.name)
        let new = filler.key(500 + position, of: column.type)
        _ = try? connection.execute(
          """
          INSERT INTO \(name) (\([key] + others))\(table.overriding) SELECT \
          \(([new] + others.map { "\($0)" }).joined(separator: ", ")) \
          FROM \(name) WHERE \(key)::text = \(SQLLiteral.text(chosen))
          """
        )
      }
    }
  }

  /// Returns a new value, or the key of a row that a link may lead to; none if that is for others to say.
  private func value(
    of column: Column,
    in table: Table,
    _ projection: ModelProjection,
    _ filler: RowFiller,
    _ random: inout SeededGenerator
  ) -> SQLFragment? {
    switch projection.columnOrigins[table.name]?[column.name] {
    case .attribute:
      var filler = filler
      return filler.value(Int.random(in: 30...60, using: &random), of: column, in: table)
    case .reference(let entityName, let name):
      guard
        let relationship = projection.model.entity(named: entityName)?.relationships
          .first(where: { $0.name == name }),
        let target = projection.model.entity(named: relationship.destinationEntityName),
        let other = projection.table(of: target)
      else { return nil }
      let members = projection.concreteFamily(of: target)
      let filter: SQLFragment =
        projection.membership(of: members, in: other).map { " WHERE \($0)" } ?? ""
      let offset = SQLLiteral.integer(Int64.random(in: 0...5, using: &random))
      return """
        (SELECT \(projection.key(of: other)) FROM \(projection.schema.qualified(other))\(filter) \
        ORDER BY 1 OFFSET \(offset) LIMIT 1)
        """
    case .key, .discriminator, .position, .joinedDestination, .joinedSource, nil: return nil
    }
  }

  /// Returns a condition that a row is of an entity that has the property of a column.
  private func isHeld(
    _ column: Column,
    in table: Table,
    _ projection: ModelProjection
  ) -> SQLFragment {
    guard let origin = projection.columnOrigins[table.name]?[column.name],
      let entity = projection.model.entity(named: origin.entityName),
      let membership = projection.membership(
        of: projection.concreteFamily(of: entity),
        in: table.name
      )
    else { return "" }
    return " AND \(membership)"
  }

  // MARK: - What it makes of earlier versions

  /// Applies later writes to the expected values of earlier versions.
  func note(_ before: Rows, _ after: Rows, at position: Int, in known: inout [Rows]) {
    for (table, rows) in before {
      guard case .root = projections[position].tableOrigins[table] else { continue }
      for (key, row) in rows {
        guard let entity = entity(of: row, in: table, projections[position]) else { continue }
        guard let now = after[table]?[key] else {
          forget(key, of: entity, before: position, in: &known)
          continue
        }
        for (column, value) in row where now[column] != value {
          note(
            now[column] ?? nil,
            in: column,
            of: table,
            key,
            entity,
            before: position,
            in: &known
          )
        }
      }
    }
  }

  private func entity(
    of row: [SQLIdentifier: String?],
    in table: SQLIdentifier,
    _ projection: ModelProjection
  ) -> EntityDescription? {
    if let name = row[StorageNames.discriminator] ?? nil {
      return projection.model.entity(named: name)
    }
    let entities = projection.concreteEntities(of: table)
    return entities.count == 1 ? entities.first : nil
  }

  /// A row is removed, with the links to it.
  private func forget(
    _ key: String,
    of entity: EntityDescription,
    before position: Int,
    in known: inout [Rows]
  ) {
    var entity = entity
    for earlier in (0..<position).reversed() {
      guard earlier < pairings.count,
        let before = pairings[earlier].sourceEntity(of: entity.name),
        let table = projections[earlier].table(of: before)
      else { return }
      entity = before
      known[earlier][table]?[key] = nil
      for other in projections[earlier].schema.tables.values {
        for foreignKey in other.constraints.compactMap(\.foreignKey)
        where foreignKey.references == table {
          forgetLinks(in: foreignKey.column, of: other, to: key, at: earlier, in: &known)
        }
      }
    }
  }

  private func forgetLinks(
    in column: SQLIdentifier,
    of table: Table,
    to key: String,
    at position: Int,
    in known: inout [Rows]
  ) {
    for (owner, row) in known[position][table.name] ?? [:] where row[column] == key {
      if case .join = projections[position].tableOrigins[table.name] {
        known[position][table.name]?[owner] = nil
      } else {
        known[position][table.name]?[owner]?[column] = .some(nil)
        for (other, origin) in projections[position].columnOrigins[table.name] ?? [:] {
          if case .position = origin { known[position][table.name]?[owner]?[other] = .some(nil) }
        }
      }
    }
  }

  private func note(
    _ value: String?,
    in column: SQLIdentifier,
    of table: SQLIdentifier,
    _ key: String,
    _ entity: EntityDescription,
    before position: Int,
    in known: inout [Rows]
  ) {
    switch projections[position].columnOrigins[table]?[column] {
    case .attribute(_, let name, let path):
      var value = Optional.some(value)
      var entity = entity
      var path = PropertyPath(name, elements: path)
      var type = projections[position].schema.tables[table]?.column(column)?.type
      for earlier in (0..<position).reversed() {
        guard earlier < pairings.count,
          let before = pairings[earlier].sourceEntity(of: entity.name),
          let part = pairings[earlier].sourcePart(
            path,
            of: .init(source: before, destination: entity)
          ), let home = projections[earlier].table(of: before),
          let place = projections[earlier].columns[
            .attribute(
              entity: part.declaringEntity.name,
              part.path.property,
              path: part.path.elements
            )
          ]
        else { return }
        let formerType = projections[earlier].schema.tables[home]?.column(place.column)?.type
        // What a conversion makes of it is for other tests to say.
        if formerType != type { value = nil }
        (entity, path, type) = (before, part.path, formerType)
        if let value {
          known[earlier][home]?[key]?[place.column] = .some(value)
        } else {
          known[earlier][home]?[key]?[place.column] = nil
        }
      }
    case .reference(_, let name):
      noteLink(of: name, entity, from: key, to: value, before: position, in: &known)
    case .position(_, let name):
      noteLink(of: name, entity, before: position, in: &known)
    case .key, .discriminator, .joinedDestination, .joinedSource, nil: break
    }
  }

  /// A link has changed, which is anywhere in earlier versions; or its place among others.
  private func noteLink(
    of name: String,
    _ entity: EntityDescription,
    from key: String? = nil,
    to value: String? = nil,
    before position: Int,
    in known: inout [Rows]
  ) {
    var (entity, name, key) = (entity, name, key)
    for earlier in (0..<position).reversed() {
      guard earlier < pairings.count,
        let before = pairings[earlier].sourceEntity(of: entity.name),
        let (declaring, relationship) = pairings[earlier].sourceRelationship(
          name,
          of: .init(source: before, destination: entity)
        )
      else { return }
      let after = projections[earlier + 1].model.effectiveRelationships(of: entity)
        .first { $0.name == name }
      let target = after.flatMap {
        pairings[earlier].sourceEntity(of: $0.destinationEntityName)?.name
      }
      if target != relationship.destinationEntityName { key = nil }
      if let place = projections[earlier].linkPlace(of: relationship, declaredBy: declaring) {
        if !place.isInOwner { key = nil }
        let positions = [place.ownerPosition, place.targetPosition].compactMap(\.self)
        if place.isJoinTable {
          known[earlier][place.table] = nil
        } else if let key {
          known[earlier][place.table]?[key]?[place.target] = .some(value)
          // Of links that only one row can have, the newer one stays.
          let table = projections[earlier].schema.tables[place.table]
          let isSole = table?.constraints.contains { $0.hasIndex && $0.columns == [place.target] }
          for (other, row) in known[earlier][place.table] ?? [:]
          where isSole == true && value != nil && other != key && row[place.target] == value {
            known[earlier][place.table]?[other]?[place.target] = .some(nil)
          }
          for column in positions { known[earlier][place.table]?[key]?[column] = nil }
        } else {
          let columns = [place.owner, place.target].filter { $0 != place.key } + positions
          for key in (known[earlier][place.table] ?? [:]).keys {
            for column in columns { known[earlier][place.table]?[key]?[column] = nil }
          }
        }
      }
      (entity, name) = (before, relationship.name)
    }
  }
}
