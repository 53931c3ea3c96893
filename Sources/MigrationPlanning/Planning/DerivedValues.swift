internal import SQLSyntax

/// The values that triggers keep, while others of their rows change.
struct DerivedValues {
  private let match: SchemaMatch
  private let names: CurrentNames
  private let source, destination: ModelProjection

  init(_ context: StepContext) {
    (match, names) = (context.match, context.names)
    (source, destination) = (match.source, match.destination)
  }

  /// Computes the values that triggers keep, unless the same triggers have kept them all along.
  func computations(besides others: [MigrationOperation]) -> [MigrationOperation] {
    guard !destination.derivations.isEmpty else { return [] }
    let busyTables = Set(others.flatMap(\.changedTables))
    var operations: [MigrationOperation] = []
    for (place, derivation) in destination.derivations
      .sorted(by: { ($0.key.table, $0.key.column) < ($1.key.table, $1.key.column) })
    where match.rows[place.table] != nil || match.copiedTables.contains(place.table) {
      let before = match.oldColumns[place].flatMap { source.derivations[$0] }
      let isSame =
        before == derivation
        && derivation.triggers.keys.allSatisfy {
          match.tables[$0] == $0 && !busyTables.contains($0)
        }
      guard !isSame else { continue }
      operations.append(
        .computeValues(
          ComputeValues(
            table: place.table,
            column: place.column,
            value: derivation.value,
            // The time when a row was written cannot be computed afterwards.
            condition: derivation.isStamp
              ? "\(place.column) IS NULL"
              : "\(place.column) IS DISTINCT FROM \(derivation.value)",
            reads: derivation.reads
          )
        )
      )
    }
    return operations
  }

  /// Removes the triggers of timestamps while the migration writes rows of their tables.
  ///
  /// A timestamp records the last write of a row by the application, not by a migration.
  func quietStamps(during others: [MigrationOperation]) -> [MigrationOperation] {
    let stamped = match.keptTables.filter { $0.old.triggers.contains(where: \.isStamp) }
    guard !stamped.isEmpty else { return [] }
    let written = writtenTables(others)
    let dropped = Set(
      others.compactMap { operation in
        if case .dropTrigger(let drop) = operation { drop.trigger } else { nil }
      }
    )
    var operations: [MigrationOperation] = []
    for (old, new) in stamped where written.contains(new.name) {
      for trigger in old.triggers
      where trigger.isStamp && new.triggers.contains(trigger) && !dropped.contains(trigger.name) {
        operations.append(
          .dropTrigger(
            DropTrigger(table: old.name, trigger: trigger.name, newTable: new.name)
          )
        )
        operations.append(
          .createTrigger(
            CreateTrigger(table: new.name, trigger: trigger, columns: new.columns.map(\.name))
          )
        )
      }
    }
    return operations
  }

  /// The tables whose rows the operations write, and those in which rows change because others of
  /// another table go; under their new names.
  private func writtenTables(_ operations: [MigrationOperation]) -> Set<SQLIdentifier> {
    var written: Set<SQLIdentifier> = []
    var left: [SQLIdentifier] = []
    for operation in operations where operation.base.rowChange != .none {
      let locks = operation.base.impact.locks
      written.formUnion(locks.filter { $0.value == .rowExclusive }.keys)
      if case .deleteRows(let deletion) = operation { left.append(deletion.table) }
    }
    guard !left.isEmpty else { return written }
    let followers = followers
    var seen = Set(left)
    while let table = left.popLast() {
      left += followers[table, default: []].filter { seen.insert($0).inserted }
    }
    return written.union(seen)
  }

  /// The tables that change when rows of one go: through a foreign key, or since values are derived.
  private var followers: [SQLIdentifier: Set<SQLIdentifier>] {
    var followers: [SQLIdentifier: Set<SQLIdentifier>] = [:]
    for table in source.schema.tables.values {
      for constraint in table.constraints {
        guard let foreignKey = constraint.foreignKey, foreignKey.onDelete.writesRows else {
          continue
        }
        followers[names.current(foreignKey.references), default: []]
          .insert(names.current(table.name))
      }
    }
    for (place, derivation) in source.derivations {
      for table in derivation.triggers.keys {
        followers[names.current(table), default: []].insert(names.current(place.table))
      }
    }
    return followers
  }
}
