internal import ModelMapping
internal import ObjectModel
public import SQLSyntax

/// An element of the destination that a step creates without its former values.
public struct EmptyElement: Hashable, Sendable {
  /// The table.
  public let table: SQLIdentifier
  /// The column; none if the whole table is empty.
  public let column: SQLIdentifier?
  /// The element of the model.
  package let subject: StepChanges.Subject?
}

/// The values of the destination that a step does not restore, although the database had them.
package struct StepLosses {
  private let step: MigrationStep

  /// Finds the losses of a step.
  package init(by step: MigrationStep) { self.step = step }

  /// The elements that the step creates without rows or values, in the order of the names.
  package var emptyElements: [EmptyElement] {
    var made: Set<SQLIdentifier> = []
    var added: Set<ColumnReference> = []
    var filled: Set<SQLIdentifier> = []
    var written: Set<ColumnReference> = []
    for operation in step.operations.map(\.base) {
      let (table, outcome) = (operation.table, operation.outcome)
      made.formUnion(outcome.madeTables)
      filled.formUnion(outcome.filledTables)
      func place(_ column: SQLIdentifier) -> ColumnReference {
        ColumnReference(table: table, column: column)
      }
      if let column = outcome.addedColumn { added.insert(place(column)) }
      written.formUnion(outcome.writtenColumns.map(place))
    }
    let projection = step.destination.projection
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

  /// The entities whose rows come back from where they were retained.
  private var returnedEntities: Set<String> {
    guard step.kind == .revert || !step.droppedRetained.isEmpty else { return [] }
    return Set(
      step.droppedRetained.compactMap { object -> String? in
        if case .rows(let entity)? = object.origin?.content { entity } else { nil }
      }
    )
  }

  /// The entities of the destination that come to tables which have stayed, without the rows that they
  /// had once.
  package var goneEntities: [String] {
    guard let source = step.source, let mappingModel = step.mappingModel else { return [] }
    let returned = returnedEntities
    let added = mappingModel.entityMappings.filter { $0.sourceEntityName == nil }
      .compactMap(\.destinationEntityName)
    return added.filter { name in
      guard !returned.contains(name),
        let entity = step.destination.projection.model.entity(named: name), !entity.isAbstract,
        let table = step.destination.projection.table(of: entity)
      else { return false }
      return source.projection.schema.tables[step.formerName(ofTable: table)] != nil
        && !step.operations.contains { operation in
          let outcome = operation.base.outcome
          return outcome.madeTables.subtracting(outcome.filledTables).contains(table)
        }
    }
  }

  /// Returns whether a whole table, or rows, of the destination are retained and stay where they are.
  package func leavesBehind(_ object: RetainedObject) -> Bool {
    // The rows of an old partition are not among those that are copied back.
    if let origin = object.origin, origin.content == .partition {
      return step.redividedTables.contains(SQLIdentifier(origin.table))
    }
    guard object.version == step.destination.retentionName, !step.droppedRetained.contains(object)
    else {
      return false
    }
    switch object.origin?.content {
    case .table:
      // Links that have moved come from where they are now.
      let name = object.origin.map { SQLIdentifier($0.table) }
      // All that it has is in the table that is copied back.
      if let name, step.redividedTables.contains(name) { return false }
      if case .root? = name.flatMap({ step.destination.projection.tableOrigins[$0] }) {
        return true
      }
      return false
    case .rows: return true
    case .column, .links, .partition: return false
    // If an early tool has retained a rebuilt table, it ran a mapping model.
    case nil: return object.column == nil
    }
  }
}
