internal import ModelMapping
internal import ObjectModel
internal import SQLSyntax

/// Puts back rows and links retained outside of their tables, and cuts links to rows removed since.
struct RowReturns {
  private(set) var operations: [MigrationOperation] = []
  /// The preconditions on required links.
  private(set) var questions: [PlannedPrecondition] = []

  private let match: SchemaMatch
  private let source, destination: ModelProjection
  private let returns: [(object: RetainedObject, item: ReinstateRows.Return)]

  init(_ context: StepContext) {
    match = context.match
    (source, destination) = (match.source, match.destination)
    guard let reinstatement = context.planner.reinstatement else {
      returns = []
      return
    }
    returns = reinstatement.apart.compactMap { object in
      context.match.destination.itsReturn(of: object).map { (object, $0) }
    }
    nameEntities(reinstatement.discriminators)
    if !returns.isEmpty {
      operations.append(.reinstateRows(ReinstateRows(returns: returns.map(\.item))))
    }
    let looseLinks = looseLinks(at: reinstatement.looseLinks)
    // Required links are a precondition.
    for link in looseLinks where link.cut.isJoinTable || link.column.isNullable {
      operations.append(.cutDanglingLinks(link.cut))
    }
    ask(looseLinks)
  }

  /// Returns the operations, in which reinstated rows bring their retained values.
  func operations(with retained: RetainedNames) -> [MigrationOperation] {
    guard returns.contains(where: { $0.object.origin?.companions != nil }) else {
      return operations
    }
    return operations.map { operation in
      guard case .reinstateRows = operation else { return operation }
      return .reinstateRows(
        ReinstateRows(
          returns: returns.map { object, item in
            var item = item
            let columns = retained.columns(of: item.table)
            item.companions = (object.origin?.companions ?? []).compactMap { companion in
              // Of several, the one that is called so still, or else the last one.
              let found = columns.filter {
                $0.version == companion.version && $0.origin?.columns.first?.name == companion.name
              }
              let column = found.first { $0.column?.name == companion.retainedName } ?? found.last
              return column?.column.map {
                .init(name: $0, retainedName: SQLIdentifier(companion.retainedName))
              }
            }
            return item
          }
        )
      )
    }
  }

  /// Assigns rows that were written or renamed while the table had no discriminator to the only
  /// entity.
  private mutating func nameEntities(_ discriminators: [ColumnReference: String]) {
    for (place, entityName) in discriminators.sorted(by: { $0.key.table < $1.key.table }) {
      guard let table = match.tables[place.table],
        let column = match.columns[place.table]?[place.column]
      else { continue }
      operations.append(
        .updateRows(
          UpdateRows(
            table: table,
            purpose: .nameEntities,
            assignments: [.init(column: column, value: "\(SQLLiteral.text(entityName))")],
            condition: "\(column) IS DISTINCT FROM \(SQLLiteral.text(entityName))"
          )
        )
      )
    }
  }

  // MARK: - Loose links

  /// A column without a foreign key, with the operation that cuts its dangling links.
  private typealias LooseLink = (
    place: ColumnReference, column: Column, key: ForeignKey, cut: CutDanglingLinks
  )

  private func looseLinks(at places: Set<ColumnReference>) -> [LooseLink] {
    places.sorted { ($0.table, $0.column) < ($1.table, $1.column) }.compactMap { place in
      guard let name = match.tables[place.table], let table = destination.schema.tables[name],
        let column = match.columns[place.table]?[place.column].flatMap(table.column)
      else { return nil }
      var isJoinTable = false
      if case .join = destination.tableOrigins[name] { isJoinTable = true }
      let foreignKey = table.constraints.lazy.compactMap(\.foreignKey).first {
        $0.column == column.name
      }
      return foreignKey.map { key in
        let cut = CutDanglingLinks(
          table: name,
          column: column.name,
          position: position(beside: column.name, of: name),
          isJoinTable: isJoinTable,
          referenced: key.references,
          referencedKey: key.key,
          distribution: key.distribution
        )
        return (place, column, key, cut)
      }
    }
  }

  /// Returns the column with the places of the links whose keys are in a column of the destination.
  private func position(beside column: SQLIdentifier, of table: SQLIdentifier) -> SQLIdentifier? {
    guard
      case .reference(let name, let relationshipName)? =
        destination.columnOrigins[table]?[column],
      let entity = destination.model.entity(named: name),
      let relationship = entity.relationships.first(where: { $0.name == relationshipName })
    else { return nil }
    return destination.linkPlace(of: relationship, declaredBy: entity)?.ownerPosition
  }

  // MARK: - Questions

  /// Asks for links of rows that have stayed and of rows that come back.
  private mutating func ask(_ looseLinks: [LooseLink]) {
    for link in looseLinks where !link.cut.isJoinTable {
      guard let end = requiredEnd(at: link.column, of: link.cut.table) else { continue }
      let family = Set(destination.model.family(of: end.entity).map(\.name))
      // The links of some are elsewhere by now.
      let outdated = source.outdated[link.place] ?? []
      let members = (match.rows[link.cut.table]?.origins ?? []).filter {
        family.contains($0.destination.name) && !outdated.contains($0.source.name)
      }
      guard !members.isEmpty else { continue }
      let rows = source.rows(of: members.map(\.source.name), in: link.place.table)
      questions += [question(rows, "\(link.place.column)", link.key, end)].compactMap(\.self)
    }
    questions += returns.flatMap { self.questions(of: $0.object, $0.item) }
  }

  private func questions(
    of object: RetainedObject,
    _ item: ReinstateRows.Return
  ) -> [PlannedPrecondition] {
    guard case .rows = item.way, case .rows(let name)? = object.origin?.content,
      let entity = destination.model.entity(named: name)
    else { return [] }
    let lineage = destination.model.lineage(of: entity)
    let rows = Rows(
      table: source.schema.qualified(item.retainedTable),
      key: item.retainedKey,
      membership: nil
    )
    return item.columns.compactMap { pair in
      guard let foreignKey = item.references[pair.column.name],
        let end = requiredEnd(at: pair.column, of: item.table), lineage.contains(end.entity)
      else { return nil }
      return question(rows, "\(pair.retainedName)", foreignKey, end)
    }
  }

  /// Returns the relationship that has links in a column of the destination, if it has to have some.
  private func requiredEnd(
    at column: Column,
    of table: SQLIdentifier
  ) -> (entity: EntityDescription, relationship: RelationshipDescription)? {
    guard
      case .reference(let name, let relationshipName)? =
        destination.columnOrigins[table]?[column.name],
      let entity = destination.model.entity(named: name),
      let relationship = entity.relationships.first(where: { $0.name == relationshipName }),
      !relationship.isOptional
    else { return nil }
    return (entity, relationship)
  }

  private func question(
    _ rows: Rows,
    _ column: SQLFragment,
    _ foreignKey: ForeignKey,
    _ end: (entity: EntityDescription, relationship: RelationshipDescription)
  ) -> PlannedPrecondition? {
    // The rows of a copied table are not there yet: the foreign key is checked when they are.
    guard !match.copiedTables.contains(foreignKey.references) else { return nil }
    let returning = returns.map(\.item).filter {
      $0.way == .rows && $0.table == foreignKey.references
    }
    var targets = returning.map { item -> SQLFragment in
      "SELECT \(item.retainedKey) FROM \(source.schema.qualified(item.retainedTable))"
    }
    if let referenced = match.oldTables[foreignKey.references] {
      let key = source.key(of: referenced)
      targets.append("SELECT \(key) FROM \(source.schema.qualified(referenced))")
    }
    let isLost = targets.map { " AND \(column) NOT IN (\($0))" as SQLFragment }
    return PlannedPrecondition(
      requirement: "relationship \"\(end.relationship.name)\" of entity \"\(end.entity.name)\" is "
        + "required again, so every row has to refer to one that is there",
      remedy: "Delete the rows in table \"\(rows.table.name)\", or have them refer to others.",
      entityName: end.entity.name,
      propertyName: end.relationship.name,
      coreDataError: 134_110,
      failsSilently: false,
      query: rows.offending("\(column) IS NOT NULL\(isLost.joined(separator: ""))")
    )
  }
}

extension ModelProjection {
  /// Returns how an object retained outside of its table is put back.
  fileprivate func itsReturn(of object: RetainedObject) -> ReinstateRows.Return? {
    guard let origin = object.origin,
      let table = schema.tables[SQLIdentifier(origin.table)]
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
      if case .join = tableOrigins[table.name] {
        way = .pairs
      } else {
        way = .links(column: SQLIdentifier(column))
      }
    case .column, .table, .partition: return nil
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
      key: key(of: table.name),
      overriding: table.overriding,
      references: references,
      soleLinks: Set(
        table.constraints.filter { $0.hasIndex && $0.columns.count == 1 }.flatMap(\.columns)
          .filter { references[$0] != nil }
      )
    )
  }
}
