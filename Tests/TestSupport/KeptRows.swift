package import ModelMapping
internal import ObjectModel
package import PostgresClient
internal import SQLSyntax

@testable package import MigrationPlanning

/// The rows, values and links that two versions both have, determined by the models and not by the
/// plan.
package struct KeptRows {
  /// An entity that has rows in both versions, with the columns of the properties that both have.
  private struct KeptEntity {
    var source: String
    var destination: String
    var sourceTable: SQLIdentifier
    var destinationTable: SQLIdentifier
    var columns: [(source: SQLIdentifier, destination: SQLIdentifier, isFilled: Bool)]
  }

  /// Links that both versions have, by place.
  private struct KeptLinks {
    var name: String
    var sources: [(place: LinkPlace, owners: Set<String>, targets: Set<String>)]
    var ownerTable: SQLIdentifier
    var targetTable: SQLIdentifier
    var destination: LinkPlace
    var isOrdered: Bool
  }

  /// The contents of one of the versions.
  package struct Contents: Sendable {
    fileprivate var rows: [[String: [String?]]] = []
    fileprivate var links: [[[String]]] = []
  }

  private let source: ModelProjection
  private let destination: ModelProjection
  private let pairing: ModelPairing
  private let entities: [KeptEntity]
  private let links: [KeptLinks]

  /// Creates a comparison.
  ///
  /// - Parameters:
  ///   - mapping: The mapping between the versions.
  ///   - source: The version before.
  ///   - destination: The version after.
  package init(
    _ mapping: MappingModel,
    _ source: PlannedVersion,
    _ destination: PlannedVersion
  ) {
    self.source = source.projection
    self.destination = destination.projection
    pairing = ModelPairing(
      mapping,
      from: source.projection.model,
      to: destination.projection.model
    )
    entities = Self.entities(pairing, source.projection, destination.projection)
    links = Self.links(pairing, source.projection, destination.projection)
  }

  private static func entities(
    _ pairing: ModelPairing,
    _ source: ModelProjection,
    _ destination: ModelProjection
  ) -> [KeptEntity] {
    func isKept(_ old: ColumnReference, as new: ColumnReference, _ origin: ColumnOrigin) -> Bool {
      guard destination.derivation(of: origin) != nil else { return true }
      // The time of a write does not change, unlike values that are computed again.
      return [source.derivations[old], destination.derivations[new]].allSatisfy {
        $0?.isStamp ?? false
      }
    }
    return destination.model.rootEntities.flatMap { pairing.rowOrigins(of: $0) }.compactMap { row in
      guard let before = source.table(of: row.source),
        let after = destination.table(of: row.destination)
      else { return nil }
      var kept = KeptEntity(
        source: row.source.name,
        destination: row.destination.name,
        sourceTable: before,
        destinationTable: after,
        columns: []
      )
      for (column, origin) in destination.columnOrigins[after] ?? [:] {
        guard case .attribute(let declaring, let name, let path) = origin,
          destination.model.lineage(of: row.destination).contains(where: { $0.name == declaring }),
          let (owner, attribute) = pairing.sourceAttribute(name, of: row),
          let old = source.columns[.attribute(entity: owner.name, attribute.name, path: path)],
          isKept(old, as: ColumnReference(table: after, column: column), origin)
        else { continue }
        let fallback = pairing.mapping(of: name, of: row.destination.name)?.fallback
        kept.columns.append((old.column, column, fallback != nil))
      }
      return kept
    }
  }

  private static func links(
    _ pairing: ModelPairing,
    _ source: ModelProjection,
    _ destination: ModelProjection
  ) -> [KeptLinks] {
    var links: [KeptLinks] = []
    for entity in destination.model.entities {
      for relationship in entity.relationships where !relationship.isTransient {
        guard let place = destination.linkPlace(of: relationship, declaredBy: entity),
          let target = destination.model.entity(named: relationship.destinationEntityName),
          let ownerTable = destination.table(of: entity),
          let targetTable = destination.table(of: target)
        else { continue }
        var kept = KeptLinks(
          name: "\(entity.name).\(relationship.name)",
          sources: [],
          ownerTable: ownerTable,
          targetTable: targetTable,
          destination: place,
          isOrdered: relationship.isOrdered
        )
        let targets = Set(pairing.rowOrigins(of: target).map(\.source.name))
        let owners = Set(pairing.rowOrigins(of: entity).map(\.source.name))
        for origin in pairing.linkOrigins(of: relationship, declaredBy: entity) {
          guard let (declaring, before) = pairing.sourceEnd(of: origin),
            let old = source.linkPlace(of: before, declaredBy: declaring)
          else { continue }
          let members = Set(origin.memberNames)
          kept.isOrdered = kept.isOrdered && before.isOrdered && !origin.isReversed
          kept.sources.append(
            origin.isReversed
              ? (old.reversed, owners, targets.intersection(members))
              : (old, owners.intersection(members), targets)
          )
        }
        kept.isOrdered = kept.isOrdered && kept.sources.count == 1
        if !kept.sources.isEmpty { links.append(kept) }
      }
    }
    return links
  }

  // MARK: - Reading

  /// Returns the contents of the rows' version.
  ///
  /// - Parameters:
  ///   - isMigrated: Whether the rows are at the version after.
  ///   - connection: The connection.
  /// - Returns: The contents.
  /// - Throws: The server's error.
  package func contents(
    isMigrated: Bool,
    _ connection: borrowing PostgresConnection
  ) throws -> Contents {
    var contents = Contents()
    let projection = isMigrated ? destination : source
    for entity in entities {
      let table = isMigrated ? entity.destinationTable : entity.sourceTable
      let columns = entity.columns.map { isMigrated ? $0.destination : $0.source }
      let name = isMigrated ? entity.destination : entity.source
      let result = try connection.query(
        """
        SELECT \([StorageNames.key] + columns) FROM \(projection.schema.qualified(table)) \
        WHERE \(condition(name, table, projection))
        """
      ).rows
      contents.rows.append(
        Dictionary(
          result.map { ($0[0] ?? "", Array($0.dropFirst())) },
          uniquingKeysWith: { first, _ in first }
        )
      )
    }
    for link in links {
      if isMigrated {
        contents.links.append(try read(link.destination, destination, nil, connection))
      } else {
        var found: [[String]] = []
        for place in link.sources {
          let ends = (place.owners, place.targets)
          found += try read(place.place, source, ends, connection)
        }
        contents.links.append(found)
      }
    }
    return contents
  }

  private func condition(
    _ name: String,
    _ table: SQLIdentifier,
    _ projection: ModelProjection
  ) -> SQLFragment {
    guard projection.schema.tables[table]?.column(StorageNames.discriminator) != nil else {
      return "true"
    }
    return "\(StorageNames.discriminator) = \(SQLLiteral.text(name))"
  }

  /// Returns links as owner and target in the order of the owner's places.
  private func read(
    _ place: LinkPlace,
    _ projection: ModelProjection,
    _ ends: (owners: Set<String>, targets: Set<String>)?,
    _ connection: borrowing PostgresConnection
  ) throws -> [[String]] {
    let order: SQLFragment = place.targetPosition.map { "\($0), " } ?? ""
    let found = try connection.query(
      """
      SELECT \(place.owner), \(place.target) FROM \(projection.schema.qualified(place.table)) \
      WHERE \(place.owner) IS NOT NULL AND \(place.target) IS NOT NULL \
      ORDER BY \(place.owner), \(order)\(place.target)
      """
    ).rows.map { [$0[0] ?? "", $0[1] ?? ""] }
    guard let ends else { return found }
    let owners = try keys(ends.owners, connection)
    let targets = try keys(ends.targets, connection)
    return found.filter { owners.contains($0[0]) && targets.contains($0[1]) }
  }

  private func keys(
    _ names: Set<String>,
    _ connection: borrowing PostgresConnection
  ) throws -> Set<String> {
    var keys: Set<String> = []
    for name in names {
      guard let entity = source.model.entity(named: name), let table = source.table(of: entity)
      else { continue }
      let result = try connection.query(
        """
        SELECT \(StorageNames.key) FROM \(source.schema.qualified(table)) \
        WHERE \(condition(name, table, source))
        """
      )
      keys.formUnion(result.rows.map { $0[0] ?? "" })
    }
    return keys
  }

  // MARK: - Comparing

  /// Returns the rows, values and links that are missing or different afterwards, in words.
  ///
  /// - Parameters:
  ///   - before: The state before.
  ///   - after: The state afterwards.
  ///   - isReturn: Whether the state afterwards may contain more, from an earlier version.
  /// - Returns: The differences.
  package func differences(
    _ before: Contents,
    _ after: Contents,
    isReturn: Bool = false
  ) -> [String] {
    var differences: [String] = []
    for (entity, (old, new)) in zip(entities, zip(before.rows, after.rows)) {
      let isKept =
        isReturn ? Set(old.keys).isSubset(of: new.keys) : Set(old.keys) == Set(new.keys)
      if !isKept {
        differences.append(
          "\(entity.destination) had rows \(old.keys.sorted()) and has \(new.keys.sorted())"
        )
      }
      for (key, values) in old {
        guard let changed = new[key] else { continue }
        for (column, (first, second)) in zip(entity.columns, zip(values, changed)) {
          if first == nil, column.isFilled || isReturn, second != nil { continue }
          guard !Self.isSame(first, second) else { continue }
          differences.append(
            "\(entity.destination).\(column.destination.name) of \(key) had \(first ?? "null") "
              + "and has \(second ?? "null")"
          )
        }
      }
    }
    for (link, (old, new)) in zip(links, zip(before.links, after.links)) {
      let isSame =
        isReturn
        ? Set(old).isSubset(of: new) : link.isOrdered ? old == new : Set(old) == Set(new)
      if !isSame { differences.append("\(link.name) had links \(old) and has \(new)") }
    }
    return differences
  }

  /// Returns whether two texts mean the same, of the same type or of two numeric ones.
  private static func isSame(_ first: String?, _ second: String?) -> Bool {
    guard first != second else { return true }
    guard let first, let second else { return false }
    let truth = ["t": 1.0, "f": 0.0]
    guard let before = Double(first) ?? truth[first], let after = Double(second) ?? truth[second]
    else { return false }
    return before == after
  }
}
