import ObjectModel
import PostgresClient
import SQLSyntax

@testable import MigrationPlanning

/// The rules for rows of a version, by its model: rows only have values of their own properties,
/// links have correct ends and positions, and new keys are free.
struct RowRules {
  private let projection: ModelProjection

  init(_ version: PlannedVersion) {
    projection = version.projection
  }

  /// Returns the rules that are broken.
  func violations(_ connection: borrowing PostgresConnection) throws -> [String] {
    var violations: [String] = []
    for (rule, query) in rules {
      let count = try connection.query("SELECT count(*) AS count FROM \(query)")
        .first?.integer("count")
      if let count, count > 0 { violations.append("\(count) \(rule)") }
    }
    return violations
  }

  /// Sentences about offenders, with what selects them.
  private var rules: [(String, SQLFragment)] {
    projection.schema.sortedTables.flatMap { table in
      table.columns.flatMap { rules(for: $0, of: table.name) }
    }
  }

  private func rules(for column: Column, of name: SQLIdentifier) -> [(String, SQLFragment)] {
    let table = projection.schema.qualified(name)
    switch projection.columnOrigins[name]?[column.name] {
    case .attribute(let declaring, _, _):
      return [stray(column.name, declaring, name)]
    case .reference(let declaring, let relationship):
      return [stray(column.name, declaring, name)]
        + misled(column.name, projection.relationship(relationship, of: declaring), table)
    case .joinedDestination(let declaring, let relationship):
      return misled(column.name, projection.relationship(relationship, of: declaring), table)
    case .joinedSource(let declaring, _):
      return misled(column.name, to: declaring, table)
    case .position(let declaring, let relationship):
      return misplaced(column.name, projection.relationship(relationship, of: declaring), name)
    case .key:
      guard let sequence = column.identitySequence else { return [] }
      let rule: SQLFragment = """
        (SELECT FROM \(table), \(projection.schema.qualified(sequence)) AS sequence \
        WHERE \(column.name) >= last_value + is_called::integer) AS offenders
        """
      return [("keys of \(name) are not below the next one", rule)]
    case .discriminator, nil:
      return []
    }
  }

  private func stray(
    _ column: SQLIdentifier,
    _ declaring: String,
    _ name: SQLIdentifier
  ) -> (String, SQLFragment) {
    let family = projection.model.entity(named: declaring).map { projection.concreteFamily(of: $0) }
    let membership = projection.membership(of: family ?? [], in: name) ?? "true"
    return (
      "rows have values in \(name).\(column) although their entities do not",
      "\(projection.schema.qualified(name)) WHERE \(column) IS NOT NULL AND NOT (\(membership))"
    )
  }

  private func misled(
    _ column: SQLIdentifier,
    _ end: RelationshipEnd?,
    _ table: QualifiedName
  ) -> [(String, SQLFragment)] {
    end.map { misled(column, to: $0.relationship.destinationEntityName, table) } ?? []
  }

  private func misled(
    _ column: SQLIdentifier,
    to entityName: String,
    _ table: QualifiedName
  ) -> [(String, SQLFragment)] {
    guard let entity = projection.model.entity(named: entityName),
      let target = projection.table(of: entity)
    else { return [] }
    let membership = projection.membership(of: projection.concreteFamily(of: entity), in: target)
    let rule: SQLFragment = """
      \(table) WHERE \(column) IS NOT NULL AND \(column) NOT IN (SELECT \(StorageNames.key) \
      FROM \(projection.schema.qualified(target)) WHERE \(membership ?? "true"))
      """
    return [("links in \(table).\(column) lead to rows that they may not lead to", rule)]
  }

  private func misplaced(
    _ position: SQLIdentifier,
    _ end: RelationshipEnd?,
    _ name: SQLIdentifier
  ) -> [(String, SQLFragment)] {
    guard let end, let place = projection.linkPlace(of: end.relationship, declaredBy: end.entity)
    else { return [] }
    let table = projection.schema.qualified(name)
    return [
      (
        "places in \(name).\(position) are without links, or the other way round",
        "\(table) WHERE (\(position) IS NULL) <> (\(place.owner) IS NULL)"
      ),
      (
        "places in \(name).\(position) are taken twice",
        """
        (SELECT FROM \(table) WHERE \(position) IS NOT NULL \
        GROUP BY \(place.owner), \(position) HAVING count(*) > 1) AS offenders
        """
      ),
    ]
  }
}

extension ModelProjection {
  fileprivate func relationship(_ name: String, of entityName: String) -> RelationshipEnd? {
    guard let entity = model.entity(named: entityName),
      let relationship = entity.relationships.first(where: { $0.name == name })
    else { return nil }
    return RelationshipEnd(entity: entity, relationship: relationship)
  }
}
