internal import ModelMapping
internal import ObjectModel
internal import SQLSyntax

/// Which tables and columns of two versions are the same, and where rows and values that move come
/// from, by what they stand for in the models.
struct SchemaMatch {
  /// Where the rows of one entity have the value of a column.
  struct ColumnSource: Hashable {
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
  /// Where the values of each column come from, entity by entity; only for columns that not merely
  /// stay what they are.
  private(set) var columnSources: [ColumnReference: [ColumnSource]] = [:]

  /// The tables of the destination that are made anew, so that nothing stays for them.
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
    matchRootTables()
    for (table, origin) in destination.tableOrigins.sorted(by: { $0.key < $1.key }) {
      if case .root = origin { matchColumns(of: table) }
    }
    for (table, origin) in destination.tableOrigins.sorted(by: { $0.key < $1.key }) {
      switch origin {
      case .root: matchPositions(of: table)
      case .join(let entity, let relationship): matchJoinTable(table, entity, relationship)
      }
    }
  }

  mutating func keep(_ old: ColumnReference, as new: ColumnReference) {
    columns[old.table, default: [:]][old.column] = new.column
    oldColumns[new] = old
  }

  mutating func keepTable(_ old: SQLIdentifier, as new: SQLIdentifier) {
    tables[old] = new
    oldTables[new] = old
  }

  mutating func take(_ sources: [ColumnSource]?, for column: ColumnReference) {
    columnSources[column] = sources
  }

  // MARK: - Tables of entities

  private mutating func matchRootTables() {
    var heirs: [SQLIdentifier: [SQLIdentifier]] = [:]
    for (table, origin) in destination.tableOrigins.sorted(by: { $0.key < $1.key }) {
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
    for (old, candidates) in heirs.sorted(by: { $0.key < $1.key }) {
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

  /// The table goes to the hierarchy of what its root has become; where the root has gone, to the
  /// only one that takes rows from it.
  private func heir(to old: SQLIdentifier, _ candidates: [SQLIdentifier]) -> SQLIdentifier? {
    if let taken = tables[old] { return taken }
    guard case .root(let name) = source.tableOrigins[old] else { return nil }
    if let after = pairing.destinationEntity(of: name), let table = destination.table(of: after) {
      return candidates.contains(table) ? table : nil
    }
    return candidates.count == 1 ? candidates[0] : nil
  }
}
