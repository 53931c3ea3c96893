internal import ObjectModel
internal import SQLSyntax

/// Foreign keys: the rows that a written row needs, and that must remain as long as it exists.
extension ReleaseComparison {
  mutating func compareReferences() {
    for table in destination.schema.sortedTables {
      let pair = self.pair(after: table.name)
      for constraint in table.constraints {
        guard let foreignKey = constraint.foreignKey else { continue }
        compare(foreignKey, constraint.name, of: table, pair)
      }
    }
  }

  private mutating func compare(
    _ foreignKey: ForeignKey,
    _ name: SQLIdentifier,
    of table: Table,
    _ pair: Pair?
  ) {
    let cause = Cause.object(name, table: pair?.workingName ?? table.name)
    let column = pair?.columns.first { $0.value == foreignKey.column }?.key
    let before = column.flatMap { column in
      pair?.before.constraints.compactMap(\.foreignKey).first { $0.column == column }
    }
    let isSameTarget =
      before.map { afterName(of: $0.references) == foreignKey.references } ?? false
    if let pair, let column {
      let isCheckedEarlier =
        before?.deferrability == .deferred && foreignKey.deferrability != .deferred
      if let former = pair.before.constraints.first(where: { $0.foreignKey?.column == column }),
        former.foreignKey?.deferrability != .notDeferrable,
        foreignKey.deferrability == .notDeferrable
      {
        add(.nameRemoved(former.name, table: pair.before.name), cause)
      }
      if !isSameTarget || isCheckedEarlier {
        add(
          .referenceRequired(
            column,
            table: pair.before.name,
            to: formerName(of: foreignKey.references)
          ),
          cause
        )
      }
    }
    if isSameTarget, let before, before.onUpdate.writesRows, !foreignKey.onUpdate.writesRows {
      add(
        .keyChangeRefused(table: before.references, by: pair?.before.name ?? table.name),
        cause
      )
    }
    guard let referenced = self.pair(after: foreignKey.references),
      !foreignKey.onDelete.writesRows
    else { return }
    if isSameTarget, let before, !before.onDelete.writesRows { return }
    let place = ColumnReference(table: table.name, column: foreignKey.column)
    guard column != nil || filledColumns.contains(place) || copiedTables.contains(table.name)
    else { return }
    add(
      .deletionRefused(
        table: referenced.before.name,
        by: pair?.before.name ?? table.name
      ),
      cause
    )
  }

  private func afterName(of table: SQLIdentifier) -> SQLIdentifier? {
    pair(before: table)?.after?.name
  }

  private func formerName(of table: SQLIdentifier) -> SQLIdentifier {
    pair(after: table)?.before.name ?? table
  }
}
