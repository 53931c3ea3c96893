public import SQLSyntax

/// Something of the destination that a step makes without the values that it had in the database once.
public struct EmptyElement: Hashable, Sendable {
  /// The table.
  public let table: SQLIdentifier
  /// The column; none if the whole table is empty.
  public let column: SQLIdentifier?
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
      if case .addColumn(let addition) = operation {
        added.insert(ColumnReference(table: addition.table, column: addition.column.name))
      }
      if case .moveLinks(let move) = operation {
        filled.insert(move.place.table)
        written.insert(ColumnReference(table: move.place.table, column: move.place.target))
        written.insert(ColumnReference(table: move.place.table, column: move.place.owner))
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
      switch projection.columnOrigins[place.table]?[place.column] {
      case .attribute, .reference: return true
      case .key, .discriminator, .position, .joinedDestination, .joinedSource, nil: return false
      }
    }
    let tables = made.subtracting(filled).map { EmptyElement(table: $0, column: nil) }
    return (tables + columns.map { EmptyElement(table: $0.table, column: $0.column) })
      .sorted { ($0.table, $0.column ?? "") < ($1.table, $1.column ?? "") }
  }
}

extension MigrationStep {
  /// Returns whether a table of the source is not in the destination.
  package func leaves(_ table: SQLIdentifier) -> Bool {
    operations.contains { operation in
      switch operation.base {
      case let retention as RetainTable: formerName(ofTable: retention.table) == table
      case let drop as DropTable: formerName(ofTable: drop.table) == table
      default: false  // Nothing else takes a table away.
      }
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
