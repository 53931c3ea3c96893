internal import ModelMapping
internal import ObjectModel
internal import SQLSyntax

/// Matches the tables and columns of two versions, and the origins of moved rows and values, by the
/// elements of the models that they represent.
struct SchemaMatch {
  /// The origin of a column's value in the rows of one entity.
  struct ColumnSource {
    /// The entity whose rows they are.
    let row: ModelPairing.RowOrigin
    /// The column of the source; none if it had none.
    let column: ColumnReference?
  }

  /// The new name of each table that stays.
  private(set) var tables: [SQLIdentifier: SQLIdentifier] = [:]
  /// The new name of each column that stays, by the old name of its table.
  private(set) var columns: [SQLIdentifier: [SQLIdentifier: SQLIdentifier]] = [:]
  /// The old name of each table that stays.
  private(set) var oldTables: [SQLIdentifier: SQLIdentifier] = [:]
  /// The old place of each column that stays.
  private(set) var oldColumns: [ColumnReference: ColumnReference] = [:]
  /// Which rows each table of the destination has, and which table of the source they are in.
  private(set) var rows:
    [SQLIdentifier: (oldTable: SQLIdentifier, origins: [ModelPairing.RowOrigin])] =
      [:]
  /// The origins of the values of each column by entity; only for columns whose values move.
  private(set) var columnSources: [ColumnReference: [ColumnSource]] = [:]

  /// Each table that stays, as both versions have it, in the order of the new names.
  private(set) var keptTables: [(old: Table, new: Table)] = []

  /// The rebuilt tables of the destination, which keep no old table.
  let copiedTables: Set<SQLIdentifier>

  let pairing: ModelPairing
  let source: ModelProjection
  let destination: ModelProjection

  init(
    from source: ModelProjection,
    to destination: ModelProjection,
    by mapping: MappingModel,
    copying copiedTables: Set<SQLIdentifier> = []
  ) {
    self.source = source
    self.destination = destination
    self.copiedTables = copiedTables
    pairing = ModelPairing(mapping, from: source.model, to: destination.model)
    oldColumns.reserveCapacity(destination.columns.count)
    let origins = destination.tableOrigins.inOrder
    matchRootTables(origins)
    for (table, origin) in origins {
      if case .root = origin { matchColumns(of: table) }
    }
    for (table, origin) in origins {
      switch origin {
      case .root: matchPositions(of: table)
      case .join(let entity, let relationship): matchJoinTable(table, entity, relationship)
      }
    }
    keptTables = tables.sorted { $0.value < $1.value }.compactMap { before, after in
      guard let old = source.schema.tables[before], let new = destination.schema.tables[after]
      else {
        return nil
      }
      return (old, new)
    }
  }

  /// The columns of the source whose values go to a column that does not take their place.
  var movedColumns: Set<ColumnReference> {
    Set(
      columnSources.flatMap { column, sources in
        sources.compactMap(\.column).filter { $0 != oldColumns[column] }
      }
    )
  }

  private mutating func keep(_ old: ColumnReference, as new: ColumnReference) {
    columns[old.table, default: [:]][old.column] = new.column
    oldColumns[new] = old
  }

  private mutating func keepTable(_ old: SQLIdentifier, as new: SQLIdentifier) {
    tables[old] = new
    oldTables[new] = old
  }

  private mutating func take(_ sources: [ColumnSource]?, for column: ColumnReference) {
    columnSources[column] = sources
  }

  // MARK: - Tables of entities

  private mutating func matchRootTables(
    _ tables: [(key: SQLIdentifier, value: TableOrigin)]
  ) {
    var heirs: [SQLIdentifier: [SQLIdentifier]] = [:]
    for (table, origin) in tables {
      guard case .root(let name) = origin, let root = destination.model.entity(named: name),
        !copiedTables.contains(table)
      else { continue }
      let origins = pairing.rowOrigins(of: root)
      // All rows of a table come from one: merging several takes a mapping model.
      guard let first = origins.first, let old = source.table(of: first.source) else {
        matchTableWithoutRows(table, root)
        continue
      }
      rows[table] = (old, origins)
      heirs[old, default: []].append(table)
    }
    for (old, candidates) in heirs.inOrder {
      guard let heir = heir(to: old, candidates) else { continue }
      keepTable(old, as: heir)
    }
  }

  /// Even where no entity keeps its rows, a root that stays keeps its table.
  private mutating func matchTableWithoutRows(_ table: SQLIdentifier, _ root: EntityDescription) {
    guard let before = pairing.sourceEntity(of: root.name), before.superentityName == nil,
      let old = source.tables[.root(entity: before.name)], tables[old] == nil
    else { return }
    rows[table] = (old, [])
    keepTable(old, as: table)
  }

  /// Returns the successor of a table: the table of its root's hierarchy, or if the root is
  /// removed, the only one that takes rows from it.
  private func heir(to old: SQLIdentifier, _ candidates: [SQLIdentifier]) -> SQLIdentifier? {
    if let taken = tables[old] { return taken }
    guard case .root(let name) = source.tableOrigins[old] else { return nil }
    if let after = pairing.destinationEntity(of: name), let table = destination.table(of: after) {
      return candidates.contains(table) ? table : nil
    }
    return candidates.count == 1 ? candidates[0] : nil
  }

  // MARK: - Columns

  /// Finds out which columns of a table stay, and where the values of the others come from.
  private mutating func matchColumns(of table: SQLIdentifier) {
    guard let (old, origins) = rows[table] else { return }
    let isKept = tables[old] == table
    if isKept, origins.count == 1, let same = sameColumns(of: table, as: old, origins[0]) {
      for (before, after) in same { keep(before, as: after) }
      return
    }
    var moved: [(column: SQLIdentifier, found: [ColumnSource], candidates: Set<ColumnReference>)] =
      []
    // How many columns take values from each.
    var claims: [ColumnReference: Int] = [:]
    for (column, origin) in destination.columnOrigins[table] ?? [:] {
      guard let found = columnSources(of: origin, origins) else {
        guard isKept,
          let before = keyOrDiscriminator(like: origin, of: old).flatMap({ source.columns[$0] })
        else { continue }
        keep(before, as: ColumnReference(table: table, column: column))
        continue
      }
      let candidates = Set(found.compactMap(\.column))
      for before in candidates { claims[before, default: 0] += 1 }
      moved.append((column, found, candidates))
    }
    // Nearly every column: it stays for all rows, and no other one takes values from it.
    moved.removeAll { column, found, candidates in
      guard isKept, found.count == origins.count, candidates.count == 1,
        let only = candidates.first, claims[only] == 1, found.allSatisfy({ $0.column != nil })
      else { return false }
      keep(only, as: ColumnReference(table: table, column: column))
      return true
    }
    let staying = Set(origins.map(\.source.name))
    for (column, found, candidates) in moved.sorted(by: { $0.column < $1.column }) {
      let reference = ColumnReference(table: table, column: column)
      let kept = candidates.filter { candidate in
        isKept && claims[candidate] == 1
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
    // A column without values in remaining rows has nothing to move, but stays; among several, the
    // one that has the name already.
    let unused = (source.columnOrigins[old] ?? [:]).filter { columns[old]?[$0.key] == nil }
      .sorted { $0.key < $1.key }
    for isSameName in [true, false] {
      for (column, origin) in unused {
        keepUnused(column, origin, of: old, in: table, isSameName: isSameName)
      }
    }
  }

  /// Returns the columns of a table that has the rows of one entity, if both versions have them under the same
  /// names for the same properties and no value comes from elsewhere, as in most tables of a large model.
  private func sameColumns(
    of table: SQLIdentifier,
    as old: SQLIdentifier,
    _ row: ModelPairing.RowOrigin
  ) -> [(old: ColumnReference, new: ColumnReference)]? {
    let name = row.source.name
    guard row.destination.name == name, let columns = destination.columnOrigins[table],
      columns == source.columnOrigins[old], let mappings = pairing.mappings(of: name),
      !row.source.attributes.contains(where: \.isComputed),
      !row.destination.attributes.contains(where: \.isComputed)
    else { return nil }
    var same: [(old: ColumnReference, new: ColumnReference)] = []
    for (column, origin) in columns {
      switch origin {
      case .key: break
      case .attribute(name, let attribute, path: []):
        guard mappings[attribute]?.valueExpression == .sourceAttribute(attribute) else {
          return nil
        }
      case .reference(name, let relationship):
        guard
          mappings[relationship]?.valueExpression
            == .destinationInstances(sourceRelationship: relationship)
        else { return nil }
      // Places stay with the keys that they belong to.
      case .position: continue
      case .attribute, .reference, .discriminator, .joinedDestination, .joinedSource: return nil
      }
      let before = ColumnReference(table: old, column: column)
      guard source.columns[origin] == before else { return nil }
      same.append((before, ColumnReference(table: table, column: column)))
    }
    return same
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
    // Nearly every column has been kept before.
    guard columns[old]?[column] == nil else { return }
    let before = ColumnReference(table: old, column: column)
    let staying = Set(rows[table]?.origins.map(\.source.name) ?? [])
    guard holders(of: before).isDisjoint(with: staying),
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

  /// Returns the origin of a column's values by entity; `nil` for a column without a property.
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

  /// Returns the column of the source with the values of a column of the destination.
  ///
  /// Computed values do not become written ones or the reverse, and are not converted.
  private func column(of sourceOrigin: ColumnOrigin, _ origin: ColumnOrigin) -> ColumnReference? {
    guard let before = source.columns[sourceOrigin] else { return nil }
    guard let after = destination.derivation(of: origin) else { return before }
    guard let derivation = source.derivation(of: sourceOrigin) else { return nil }
    let isConverted = !after.isGenerated && derivation.attribute.type != after.attribute.type
    return isConverted ? nil : before
  }

  // MARK: - Links

  /// The place among others stays with the key that it belongs to.
  private mutating func matchPositions(of table: SQLIdentifier) {
    let origins = destination.columnOrigins[table] ?? [:]
    let hasPositions = origins.values.contains { origin in
      if case .position = origin { true } else { false }
    }
    guard hasPositions else { return }
    for (column, origin) in origins {
      guard case .reference(let entityName, let name) = origin,
        let position = linkPlace(of: name, entityName, in: destination)?.ownerPosition
      else { continue }
      let reference = ColumnReference(table: table, column: column)
      let positionReference = ColumnReference(table: table, column: position)
      if let old = oldColumns[reference].flatMap(sourcePosition) {
        keep(old, as: positionReference)
      }
      let sources = columnSources[reference]?.map {
        ColumnSource(row: $0.row, column: $0.column.flatMap(sourcePosition))
      }
      take(sources, for: positionReference)
    }
  }

  /// Returns where the places of links are whose keys are in a column of the source.
  func sourcePosition(beside key: ColumnReference) -> ColumnReference? {
    guard case .reference(let entity, let name) = source.columnOrigins[key.table]?[key.column]
    else { return nil }
    return linkPlace(of: name, entity, in: source)?.ownerPosition.map {
      ColumnReference(table: key.table, column: $0)
    }
  }

  /// A join table stays if its links are all that come, and all that come are to stay.
  private mutating func matchJoinTable(
    _ table: SQLIdentifier,
    _ entityName: String,
    _ relationshipName: String
  ) {
    guard let entity = destination.model.entity(named: entityName),
      let relationship = entity.relationships.first(where: { $0.name == relationshipName }),
      let place = destination.linkPlace(of: relationship, declaredBy: entity),
      !copiedTables.contains(table)
    else { return }
    let origins = pairing.linkOrigins(of: relationship, declaredBy: entity)
    for origin in origins {
      guard let old = sourcePlace(of: origin), isJoinTable(old.table), tables[old.table] == nil,
        isWhole(origin)
      else { continue }
      keep(old, as: place)
      return
    }
    keepUnusedJoinTable(table, entity, relationship, place)
  }

  /// Keeps a join table whose entities can have no links.
  private mutating func keepUnusedJoinTable(
    _ table: SQLIdentifier,
    _ entity: EntityDescription,
    _ relationship: RelationshipDescription,
    _ place: LinkPlace
  ) {
    guard pairing.linkOrigins(of: relationship, declaredBy: entity).isEmpty,
      case .destinationInstances(let name) =
        pairing.mapping(of: relationship.name, of: entity.name)?.valueExpression,
      let before = pairing.sourceEntity(of: entity.name),
      let old = linkPlace(of: name, before.name, in: source), isJoinTable(old.table),
      tables[old.table] == nil
    else { return }
    keep(old, as: place)
  }

  /// A join table stays with all its columns.
  private mutating func keep(_ old: LinkPlace, as new: LinkPlace) {
    keepTable(old.table, as: new.table)
    let pairs = [
      (old.owner, new.owner), (old.target, new.target),
      (old.ownerPosition, new.ownerPosition), (old.targetPosition, new.targetPosition),
    ]
    for case (let before?, let after?) in pairs as [(SQLIdentifier?, SQLIdentifier?)] {
      keep(
        ColumnReference(table: old.table, column: before),
        as: ColumnReference(table: new.table, column: after)
      )
    }
  }

  private func isJoinTable(_ table: SQLIdentifier) -> Bool {
    if case .join = source.tableOrigins[table] { true } else { false }
  }

  /// Returns whether every row that has links of an origin and stays keeps them.
  private func isWhole(_ origin: LinkOrigin) -> Bool {
    guard let (declaring, _) = pairing.sourceEnd(of: origin) else { return false }
    let staying = source.concreteFamily(of: declaring).filter {
      pairing.destinationEntity(of: $0).map { !$0.isAbstract } ?? false
    }
    return Set(origin.memberNames).isSuperset(of: staying)
  }

  /// Returns where links come from, as the relationship of the destination sees them.
  func sourcePlace(of origin: LinkOrigin) -> LinkPlace? {
    guard let (entity, relationship) = pairing.sourceEnd(of: origin),
      let place = source.linkPlace(of: relationship, declaredBy: entity)
    else { return nil }
    return origin.isReversed ? place.reversed : place
  }

  private func linkPlace(
    of name: String,
    _ entityName: String,
    in projection: ModelProjection
  ) -> LinkPlace? {
    guard let entity = projection.model.entity(named: entityName) else { return nil }
    for declaring in projection.model.lineage(of: entity) {
      if let relationship = declaring.relationships.first(where: { $0.name == name }) {
        return projection.linkPlace(of: relationship, declaredBy: declaring)
      }
    }
    return nil
  }
}
