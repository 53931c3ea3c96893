internal import ObjectModel
internal import SQLSyntax

extension SchemaChanges {
  /// A column whose keys nothing holds to, with what it is to refer to.
  struct LooseLink {
    let place: ColumnReference
    let table: SQLIdentifier
    let column: Column
    let position: SQLIdentifier?
    let foreignKey: ForeignKey
    let isJoinTable: Bool
  }

  var looseLinks: [LooseLink] {
    let places = (planner.reinstatement?.looseLinks ?? []).sorted {
      ($0.table, $0.column) < ($1.table, $1.column)
    }
    return places.compactMap { place in
      guard let name = match.tables[place.table], let table = destinationSchema.tables[name],
        let column = match.columns[place.table]?[place.column].flatMap(table.column)
      else { return nil }
      var isJoinTable = false
      if case .join = destination.projection.tableOrigins[name] { isJoinTable = true }
      for constraint in table.constraints where constraint.columns == [column.name] {
        guard let foreignKey = constraint.foreignKey else { continue }
        return LooseLink(
          place: place,
          table: name,
          column: column,
          position: position(beside: column.name, of: name),
          foreignKey: foreignKey,
          isJoinTable: isJoinTable
        )
      }
      return nil
    }
  }

  /// Returns the column with the places of the links whose keys are in a column of the destination.
  private func position(beside column: SQLIdentifier, of table: SQLIdentifier) -> SQLIdentifier? {
    guard
      case .reference(let name, let relationshipName)? =
        destination.projection.columnOrigins[table]?[column],
      let entity = destination.projection.model.entity(named: name),
      let relationship = entity.relationships.first(where: { $0.name == relationshipName })
    else { return nil }
    return destination.projection.linkPlace(of: relationship, declaredBy: entity)?.ownerPosition
  }

  /// Cuts the links of what is bound again to rows that have gone.
  mutating func cutDanglingLinks() {
    // Links that have to lead somewhere are asked for before.
    for link in looseLinks where link.isJoinTable || link.column.isNullable {
      busyTables.insert(link.table)
      operations.append(
        .cutDanglingLinks(
          CutDanglingLinks(
            table: link.table,
            column: link.column.name,
            position: link.position,
            isJoinTable: link.isJoinTable,
            referenced: link.foreignKey.references,
            referencedKey: link.foreignKey.key
          )
        )
      )
    }
  }

  /// Has rows and links come back that were retained in tables of their own.
  mutating func reinstateRows() {
    fillDiscriminators()
    let returns = (planner.reinstatement?.apart ?? []).compactMap { itsReturn(of: $0) }
    guard !returns.isEmpty else { return }
    busyTables.formUnion(returns.map(\.table))
    operations.append(.reinstateRows(ReinstateRows(returns: returns)))
  }

  /// Has rows that come back bring what stays retained of them.
  mutating func reinstateCompanions() {
    let origins = Dictionary(
      (planner.reinstatement?.apart ?? []).compactMap { object in
        object.origin?.companions.map { (object.table, $0) }
      },
      uniquingKeysWith: { first, _ in first }
    )
    guard !origins.isEmpty else { return }
    for index in operations.indices {
      guard case .reinstateRows(var reinstatement) = operations[index] else { continue }
      for position in reinstatement.returns.indices {
        let item = reinstatement.returns[position]
        let columns = retained.columns(of: item.table)
        reinstatement.returns[position].companions =
          (origins[item.retainedTable] ?? []).compactMap { companion in
            // Of several, the one that is called so still, or else the last one.
            let found = columns.filter {
              $0.version == companion.version && $0.origin?.columns.first?.name == companion.name
            }
            let object = found.first { $0.column?.name == companion.retainedName } ?? found.last
            return object?.column.map {
              .init(name: $0, retainedName: SQLIdentifier(companion.retainedName))
            }
          }
      }
      operations[index] = .reinstateRows(reinstatement)
    }
  }

  /// Rows that were written, or whose entity was renamed, while nothing told entities apart are of the only
  /// one that there was.
  mutating func fillDiscriminators() {
    let discriminators = planner.reinstatement?.discriminators ?? [:]
    for (place, entityName) in discriminators.sorted(by: { $0.key.table < $1.key.table }) {
      guard let table = match.tables[place.table],
        let column = match.columns[place.table]?[place.column]
      else { continue }
      busyTables.insert(table)
      append(
        UpdateRows(
          table: table,
          purpose: .nameEntities,
          assignments: [.init(column: column, value: "\(SQLLiteral.text(entityName))")],
          condition: "\(column) IS DISTINCT FROM \(SQLLiteral.text(entityName))"
        )
      )
    }
  }

  func itsReturn(of object: RetainedObject) -> ReinstateRows.Return? {
    guard let origin = object.origin,
      let table = destinationSchema.tables[SQLIdentifier(origin.table)]
    else { return nil }
    let columns = origin.columns.compactMap { former -> ReinstateRows.Return.Pair? in
      guard let column = table.column(SQLIdentifier(former.name)), column.generation == nil,
        column.type.text == former.type
      else { return nil }
      return .init(column: column, retainedName: SQLIdentifier(former.retainedName))
    }
    let way: ReinstateRows.Return.Way
    switch origin.content {
    case .rows: way = .rows
    case .links(let column):
      if case .join = destination.projection.tableOrigins[table.name] {
        way = .pairs
      } else {
        way = .links(column: SQLIdentifier(column))
      }
    case .column, .table: return nil
    }
    let references = Dictionary(
      table.constraints.compactMap(\.foreignKey).map { ($0.column, $0) },
      uniquingKeysWith: { first, _ in first }
    )
    return ReinstateRows.Return(
      way: way,
      table: table.name,
      retainedTable: object.table,
      columns: columns,
      key: destination.projection.key(of: table.name),
      overriding: table.overriding,
      references: references,
      soleLinks: Set(
        table.constraints.filter { $0.hasIndex && $0.columns.count == 1 }.flatMap(\.columns)
          .filter { references[$0] != nil }
      )
    )
  }
}
