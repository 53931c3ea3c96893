internal import ObjectModel
internal import SQLSyntax

/// A table of a step's source, as a release on the source has to find it afterwards.
struct ReleaseTable: Hashable, Sendable {
  /// Why views alone cannot give the release its table back.
  enum Obstacle: Hashable, Sendable {
    /// The release would fail, or find other rows.
    case breakage(ReleaseBreakage)
    /// A column has other values.
    case valuesChanged(SQLIdentifier)
    /// Nothing keeps the table in step for releases on both versions, for a reason.
    case unbridged(String)
  }

  /// The name of the table before.
  let name: SQLIdentifier
  /// The name of the table that has its rows; `nil` if none does.
  let table: SQLIdentifier?
  /// The names that the columns have there.
  let columns: [SQLIdentifier: SQLIdentifier]
  /// What views cannot bridge.
  let obstacles: [Obstacle]
  /// The columns that refer to rows of others, by a foreign key that is no longer there.
  let looseReferences: [SQLIdentifier]
}

extension ReleaseComparison {
  /// Returns what becomes of each table of the source.
  ///
  /// - Parameters:
  ///   - match: The columns that values are taken from.
  ///   - planner: What keeps tables in step, and why it does not.
  /// - Returns: The tables in their order.
  func releaseTables(_ match: SchemaMatch, by planner: MigrationPlanner) -> [ReleaseTable] {
    let breakages = Dictionary(grouping: findings.map(\.breakage), by: \.table)
    return pairs.map { pair in
      let name = pair.before.name
      let bridge = planner.bridges.first { $0.oldName == name }
      let changed = pair.before.columns.map(\.name).filter { isChanged($0, of: pair, match) }
      var obstacles =
        (breakages[name] ?? []).filter { !$0.isBridgedByView }.map(ReleaseTable.Obstacle.breakage)
        + changed.map(ReleaseTable.Obstacle.valuesChanged)
      if let bridge { obstacles.removeAll(where: bridge.bridges) }
      if !obstacles.isEmpty, let reason = planner.bridgeObstacles[name] {
        obstacles.append(.unbridged(reason))
      }
      let kept = (bridge?.kept ?? []).map { ($0.column.name, $0.name) }
      return ReleaseTable(
        name: name,
        table: pair.after?.name,
        columns: pair.columns.merging(kept) { $1 },
        obstacles: obstacles,
        looseReferences: pair.before.constraints.compactMap(\.foreignKey?.column)
          .filter { isRetained($0, of: pair) }
      )
    }
  }

  /// Returns whether a column is there although the new version does not have it.
  private func isRetained(_ column: SQLIdentifier, of pair: Pair) -> Bool {
    guard let after = pair.after, let name = pair.columns[column] else { return false }
    return destination.schema.tables[after.name]?.column(name) == nil
  }

  /// Returns whether a column that is still there has other values than before, or will have.
  private func isChanged(
    _ column: SQLIdentifier,
    of pair: Pair,
    _ match: SchemaMatch
  ) -> Bool {
    guard let after = pair.after, let name = pair.columns[column] else { return false }
    if isRetained(column, of: pair) {
      // Nobody computes what is retained.
      let place = ColumnReference(table: pair.before.name, column: column)
      return pair.before.column(column)?.generation != nil || source.derivations[place] != nil
    }
    let place = match.oldColumns[ColumnReference(table: after.name, column: name)]
    return place != ColumnReference(table: pair.before.name, column: column)
  }
}

extension ReleaseBreakage {
  /// A Boolean value that indicates whether a release that uses a view does not notice.
  var isBridgedByView: Bool {
    switch self {
    // A view has no constraints and sequences of its own, so that the release names none of them.
    case .tableRenamed, .columnRenamed, .nameRemoved: true
    case .tableDropped, .columnDropped, .typeChanged, .valueRequired, .valueComputed,
      .computationRequired, .uniquenessRequired, .keyRemoved, .conditionRequired,
      .referenceRequired, .deletionRefused, .keyChangeRefused, .entitiesRenamed, .rowsLeft:
      false
    }
  }
}

extension ReleaseTable.Obstacle: CustomStringConvertible {
  /// The obstacle, in a line.
  var description: String {
    switch self {
    case .breakage(let breakage): breakage.description
    case .valuesChanged(let column): "finds other values in column \"\(column)\""
    case .unbridged(let reason): "is not kept in step, since \(reason)"
    }
  }
}
