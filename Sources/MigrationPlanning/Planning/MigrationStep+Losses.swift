internal import ModelMapping
internal import ObjectModel
public import SQLSyntax

/// Something of the destination that a step makes without the values that it had in the database once.
public struct EmptyElement: Hashable, Sendable {
  /// The table.
  public let table: SQLIdentifier
  /// The column; none if the whole table is empty.
  public let column: SQLIdentifier?
  /// What it stands for.
  public let subject: StepChanges.Subject?
}

extension MigrationStep {
  /// What the step makes although nothing gives it rows or values, in the order of the names.
  package var emptyElements: [EmptyElement] {
    var made: Set<SQLIdentifier> = []
    var added: Set<ColumnReference> = []
    var filled: Set<SQLIdentifier> = []
    var written: Set<ColumnReference> = []
    for operation in operations {
      if case .createTable(let creation) = operation { made.insert(creation.table) }
      if case .installTable(let installation) = operation { filled.insert(installation.table) }
      if case .copyRows(let copy) = operation { filled.insert(copy.table) }
      if case .reinstateRows(let reinstatement) = operation {
        filled.formUnion(reinstatement.returns.map(\.table))
      }
      if case .addColumn(let addition) = operation, addition.retainedName == nil {
        added.insert(ColumnReference(table: addition.table, column: addition.column.name))
      }
      if case .numberLinks(let numbering) = operation, numbering.formerPlace != nil {
        written.insert(ColumnReference(table: numbering.table, column: numbering.position))
      }
      if case .moveLinks(let move) = operation {
        filled.insert(move.place.table)
        written.insert(ColumnReference(table: move.place.table, column: move.place.target))
        written.insert(ColumnReference(table: move.place.table, column: move.place.owner))
        // Places come along with links that had some.
        for position in LinkPlace.Position.allCases {
          guard let column = move.place.column(of: position),
            move.sources.allSatisfy({ $0.place.column(of: position) != nil })
          else { continue }
          written.insert(ColumnReference(table: move.place.table, column: column))
        }
      }
      if case .updateRows(let update) = operation, update.purpose == .moveValues {
        written.formUnion(
          update.assignments.map { ColumnReference(table: update.table, column: $0.column) }
        )
      }
    }
    let projection = destination.projection
    let columns = added.subtracting(written).filter { place in
      guard !made.contains(place.table),
        let column = projection.schema.tables[place.table]?.column(place.column),
        column.generation == nil, column.identitySequence == nil,
        projection.derivations[place] == nil
      else { return false }
      // The rows that have values in it have come back with them.
      if let origin = projection.columnOrigins[place.table]?[place.column],
        let entity = projection.model.entity(named: origin.entityName),
        projection.concreteFamily(of: entity).allSatisfy(returnedEntities.contains)
      {
        return false
      }
      switch projection.columnOrigins[place.table]?[place.column] {
      case .attribute, .reference, .position: return true
      case .key, .discriminator, .joinedDestination, .joinedSource, nil: return false
      }
    }
    func element(_ table: SQLIdentifier, _ column: SQLIdentifier?) -> EmptyElement {
      EmptyElement(
        table: table,
        column: column,
        subject: projection.subject(of: .init(table: table, column: column))
      )
    }
    return
      (made.subtracting(filled).map { element($0, nil) }
      + columns.map { element($0.table, $0.column) })
      .sorted { ($0.table, $0.column ?? "") < ($1.table, $1.column ?? "") }
  }
}

extension MigrationStep {
  /// Returns whether a table of the source is not in the destination.
  package func leaves(_ table: SQLIdentifier) -> Bool {
    operations.contains { operation in
      if case .retainTable(let retention) = operation {
        return formerName(ofTable: retention.table) == table
      }
      if case .dropTable(let drop) = operation { return formerName(ofTable: drop.table) == table }
      return false
    }
  }

  /// The entities whose rows come back from where they were retained.
  private var returnedEntities: Set<String> {
    guard kind == .revert || !droppedRetained.isEmpty else { return [] }
    return Set(
      droppedRetained.compactMap { object -> String? in
        if case .rows(let entity)? = object.origin?.content { entity } else { nil }
      }
    )
  }

  /// The entities of the destination that come to tables which have stayed, without the rows that they
  /// had once.
  package var goneEntities: [String] {
    guard let source, let mappingModel else { return [] }
    let returned = returnedEntities
    let added = mappingModel.entityMappings.filter { $0.sourceEntityName == nil }
      .compactMap(\.destinationEntityName)
    return added.filter { name in
      guard !returned.contains(name),
        let entity = destination.projection.model.entity(named: name), !entity.isAbstract,
        let table = destination.projection.table(of: entity)
      else { return false }
      return source.projection.schema.tables[formerName(ofTable: table)] != nil
        && !operations.contains { operation in
          if case .createTable(let creation) = operation { creation.table == table } else { false }
        }
    }
  }

  /// Returns whether a whole table, or rows, of the destination are retained and stay where they are.
  package func leavesBehind(_ object: RetainedObject) -> Bool {
    guard object.version == destination.name, !droppedRetained.contains(object) else {
      return false
    }
    switch object.origin?.content {
    case .table:
      // Links that have moved come from where they are now.
      let name = object.origin.map { SQLIdentifier($0.table) }
      if case .root? = name.flatMap({ destination.projection.tableOrigins[$0] }) { return true }
      return false
    case .rows: return true
    case .column, .links: return false
    // What an early tool has retained of a table that is made anew tells of a mapping model.
    case nil: return object.column == nil
    }
  }

  /// Returns what the source calls a table.
  package func formerName(ofTable table: SQLIdentifier) -> SQLIdentifier {
    for operation in operations.reversed() {
      if case .renameTable(let rename) = operation, rename.newName == table {
        return rename.isFromTemporary ? formerName(ofTable: rename.name) : rename.name
      }
    }
    return table
  }
}
