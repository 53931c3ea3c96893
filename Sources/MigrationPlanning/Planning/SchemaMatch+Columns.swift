internal import ModelMapping
internal import ObjectModel
internal import SQLSyntax

extension SchemaMatch {
  /// Finds out which columns of a table stay, and where the values of the others come from.
  mutating func matchColumns(of table: SQLIdentifier) {
    guard let (old, origins) = rows[table] else { return }
    let isKept = tables[old] == table
    var sources: [SQLIdentifier: [ColumnSource]] = [:]
    var claimants: [SQLIdentifier: Set<SQLIdentifier>] = [:]
    for (column, origin) in (destination.columnOrigins[table] ?? [:]).sorted(by: { $0.key < $1.key }
    ) {
      guard let found = columnSources(of: origin, origins) else {
        guard isKept,
          let before = keyOrDiscriminator(like: origin, of: old).flatMap({
            source.columns[$0]
          })
        else { continue }
        keep(before, as: ColumnReference(table: table, column: column))
        continue
      }
      sources[column] = found
      for case let before? in found.map(\.column) {
        claimants[before.column, default: []].insert(column)
      }
    }
    let staying = Set(origins.map(\.source.name))
    for (column, found) in sources.sorted(by: { $0.key < $1.key }) {
      let reference = ColumnReference(table: table, column: column)
      // Nearly every column: it stays for all rows, and no other one takes values from it.
      if isKept, found.count == origins.count, let only = found.first?.column,
        claimants[only.column] == [column], found.allSatisfy({ $0.column == only })
      {
        keep(only, as: reference)
        continue
      }
      let candidates = isKept ? Set(found.compactMap(\.column)) : []
      let kept = candidates.filter { candidate in
        claimants[candidate.column] == [column]
          && holders(of: candidate).intersection(staying).isSubset(
            of: found.lazy.filter { $0.column == candidate }.map(\.row.source.name)
          )
      }
      if let best = kept.min(by: { isBetter($0, than: $1, for: column, found) }) {
        keep(best, as: reference)
      }
      let isExplained = found.allSatisfy { $0.column == oldColumns[reference] }
      if !isExplained || !isKept { take(found, for: reference) }
    }
    guard isKept else { return }
    // What no row that stays has a value in has no values to be moved, but keeps its column; of
    // several the one that has the name already.
    let unused = (source.columnOrigins[old] ?? [:]).sorted { $0.key < $1.key }
    for isSameName in [true, false] {
      for (column, origin) in unused {
        keepUnused(column, origin, of: old, in: table, isSameName: isSameName)
      }
    }
  }

  /// Of several columns whose values come together, the one stays that has come back, else the one that
  /// has the name already, else the one that most entities share.
  private func isBetter(
    _ first: ColumnReference,
    than second: ColumnReference,
    for column: SQLIdentifier,
    _ sources: [ColumnSource]
  ) -> Bool {
    let isBack = source.outdated[first] != nil
    if isBack != (source.outdated[second] != nil) { return isBack }
    if (first.column == column) != (second.column == column) { return first.column == column }
    let counts = [first, second].map { candidate in sources.count { $0.column == candidate } }
    if counts[0] != counts[1] { return counts[0] > counts[1] }
    return first.column < second.column
  }

  private mutating func keepUnused(
    _ column: SQLIdentifier,
    _ origin: ColumnOrigin,
    of old: SQLIdentifier,
    in table: SQLIdentifier,
    isSameName: Bool
  ) {
    let before = ColumnReference(table: old, column: column)
    let staying = Set(rows[table]?.origins.map(\.source.name) ?? [])
    guard columns[old]?[column] == nil, holders(of: before).isDisjoint(with: staying),
      let newOrigin = destinationOrigin(ofUnused: origin),
      self.column(of: origin, newOrigin) != nil,
      let after = destination.columns[newOrigin],
      after.table == table, !isSameName || after.column == column, oldColumns[after] == nil,
      columnSources[after]?.isEmpty ?? true
    else { return }
    keep(before, as: after)
    take(nil, for: after)
  }

  private func destinationOrigin(ofUnused origin: ColumnOrigin) -> ColumnOrigin? {
    switch origin {
    case .attribute(let entityName, let name, let path):
      guard let entity = pairing.destinationEntity(of: entityName) else { return nil }
      for declaring in destination.model.lineage(of: entity) {
        for attribute in declaring.attributes {
          guard let mapping = pairing.mapping(of: attribute.name, of: entity.name),
            mapping.valueExpression == .sourceAttribute(name)
          else { continue }
          if path.isEmpty { return .attribute(entity: declaring.name, attribute.name, path: []) }
          guard let element = mapping.elementMappings.first(where: { $0.sourcePath == path })
          else { continue }
          return .attribute(entity: declaring.name, attribute.name, path: element.path)
        }
      }
    case .reference(let entityName, let name):
      guard let entity = pairing.destinationEntity(of: entityName) else { return nil }
      for declaring in destination.model.lineage(of: entity) {
        for relationship in declaring.relationships
        where pairing.mapping(of: relationship.name, of: entity.name)?.valueExpression
          == .destinationInstances(sourceRelationship: name)
        {
          return .reference(entity: declaring.name, relationship.name)
        }
      }
    case .key, .discriminator, .position, .joinedDestination, .joinedSource:
      break
    }
    return nil
  }

  /// Returns where each entity has the values of a column; `nil` for what no property stands for.
  private func columnSources(
    of origin: ColumnOrigin,
    _ origins: [ModelPairing.RowOrigin]
  ) -> [ColumnSource]? {
    switch origin {
    case .key, .discriminator, .position, .joinedDestination, .joinedSource:
      return nil
    case .attribute(let entity, let name, let path):
      return rowOrigins(of: entity, origins).map { row in
        let before = pairing.sourcePart(PropertyPath(name, elements: path), of: row)
        return ColumnSource(
          row: row,
          column: before.flatMap {
            self.column(
              of: .attribute(
                entity: $0.declaringEntity.name,
                $0.path.property,
                path: $0.path.elements
              ),
              origin
            )
          }
        )
      }
    case .reference(let entity, let name):
      return rowOrigins(of: entity, origins).map { row in
        let before = pairing.sourceRelationship(name, of: row)
        return ColumnSource(
          row: row,
          column: before.flatMap {
            source.columns[.reference(entity: $0.declaringEntity.name, $0.relationship.name)]
          }
        )
      }
    }
  }

  private func rowOrigins(
    of entityName: String,
    _ origins: [ModelPairing.RowOrigin]
  ) -> [ModelPairing.RowOrigin] {
    guard let entity = destination.model.entity(named: entityName) else { return [] }
    if entity.superentityName == nil { return origins }
    let family = Set(destination.model.family(of: entity).map(\.name))
    return origins.filter { family.contains($0.destination.name) }
  }

  private func keyOrDiscriminator(
    like origin: ColumnOrigin,
    of table: SQLIdentifier
  ) -> ColumnOrigin? {
    guard case .root(let root) = source.tableOrigins[table] else { return nil }
    switch origin {
    case .key: return .key(entity: root)
    case .discriminator: return .discriminator(root: root)
    case .attribute, .reference, .position, .joinedDestination, .joinedSource: return nil
    }
  }

  /// Returns the concrete entities of the source whose rows have values in a column.
  private func holders(of column: ColumnReference) -> Set<String> {
    switch source.columnOrigins[column.table]?[column.column] {
    case .attribute(let name, _, _), .reference(let name, _):
      guard let entity = source.model.entity(named: name) else { return [] }
      return Set(source.concreteFamily(of: entity)).subtracting(source.outdated[column] ?? [])
    case .key, .discriminator, .position, .joinedDestination, .joinedSource, nil:
      return []
    }
  }

  /// Returns whether rows of an entity of the source have values in a column.
  func isHeld(_ column: ColumnReference, by entityName: String) -> Bool {
    holders(of: column).contains(entityName)
  }
}
