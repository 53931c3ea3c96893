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
    /// The values or links of a column go to another one.
    case columnMoved(SQLIdentifier)
    /// Rows of another table are computed from its rows.
    case rowsMoved(to: SQLIdentifier)
    /// Nothing keeps the table in step for releases on both versions, for a reason.
    case unbridged(String)
    /// Values that are computed for the release conflict with others.
    case conflict(String)
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
  /// The references that may be of several rows, of which each was of one alone.
  let looseKeys: [[SQLIdentifier]]
  /// The tables that have other rules for rows which refer to deleted rows of this one.
  let changedDeletions: [SQLIdentifier]
}

extension ReleaseComparison {
  /// Returns what becomes of each table of the source.
  ///
  /// - Parameters:
  ///   - changes: The changes, with what keeps tables in step.
  ///   - conflicts: Why tables cannot be served with the values that are computed.
  ///   - moved: The tables that rows of others are computed from, with one of those.
  /// - Returns: The tables in their order.
  func releaseTables(
    _ changes: SchemaChanges,
    conflicts: [SQLIdentifier: String],
    moving moved: [SQLIdentifier: SQLIdentifier]
  ) -> [ReleaseTable] {
    let (match, planner) = (changes.match, changes.planner)
    let breakages = Dictionary(grouping: findings.map(\.breakage), by: \.table)
    let followers = (before: source.followers, after: destination.followers)
    return pairs.map { pair in
      let name = pair.before.name
      let bridge = planner.bridges.first { $0.oldName == name }
      let changed = pair.before.columns.map(\.name).filter { isChanged($0, of: pair, match) }
      let looseKeys = (breakages[name] ?? []).compactMap { looseKey($0) }
      var obstacles =
        (breakages[name] ?? []).filter {
          !$0.isBridgedByView && looseKey($0) == nil && !isFilledByView($0, of: pair)
            && !isRefusedAnyway($0, changes.linkBridges)
        }
        .map(ReleaseTable.Obstacle.breakage)
        + changed.map(ReleaseTable.Obstacle.valuesChanged)
      // Links that were elsewhere are in a column that has been there.
      let linked = pair.after.flatMap { changes.linkedColumns[$0.name] } ?? []
      obstacles += pair.before.columns.map(\.name)
        .filter { pair.columns[$0].map(linked.contains) ?? false && !changed.contains($0) }
        .map(ReleaseTable.Obstacle.valuesChanged)
      let columns = changes.movedColumns.filter { $0.table == name }.map(\.column).sorted()
      obstacles += columns.map(ReleaseTable.Obstacle.columnMoved)
      if let heir = moved[name] { obstacles.append(.rowsMoved(to: heir)) }
      if let bridge { obstacles.removeAll(where: bridge.bridges) }
      if let conflict = conflicts[name] { obstacles.append(.conflict(conflict)) }
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
          .filter { column in
            isRetained(column, of: pair)
              && !changes.linkBridges.contains { $0.keeps(column, of: name) }
          },
        looseKeys: looseKeys,
        changedDeletions: changedDeletions(of: pair, changes.linkBridges, followers)
      )
    }
  }

  /// Returns the columns of a key that is removed, if it is of a relationship, by which no statement that adds a
  /// row or changes it has to find one.
  private func looseKey(_ breakage: ReleaseBreakage) -> [SQLIdentifier]? {
    guard case .keyRemoved(let columns, let table) = breakage,
      columns.allSatisfy({ column in
        guard case .reference = source.columnOrigins[table]?[column] else { return false }
        return true
      })
    else { return nil }
    return columns
  }

  /// Returns whether a value is required that the view has a default for, as the table had.
  private func isFilledByView(_ breakage: ReleaseBreakage, of pair: Pair) -> Bool {
    guard case .valueRequired(let name, _) = breakage, let column = pair.before.column(name) else {
      return false
    }
    return !column.isNullable && column.defaultExpression != nil && column.sequence == nil
  }

  /// Returns whether a row cannot be deleted, as it could not before, since links to it are in another place.
  private func isRefusedAnyway(
    _ breakage: ReleaseBreakage,
    _ links: [LinkBridgeDraft]
  ) -> Bool {
    guard case .deletionRefused(let table, let other) = breakage else { return false }
    return links.contains { link in
      guard link.current.table == tablesAfter[other] ?? other,
        let former = source.schema.tables[link.former.table]
      else { return false }
      return former.constraints.compactMap(\.foreignKey).contains {
        $0.references == table && !$0.onDelete.writesRows
      }
    }
  }

  private func changedDeletions(
    of pair: Pair,
    _ links: [LinkBridgeDraft],
    _ followers: (before: ModelProjection.Followers, after: ModelProjection.Followers)
  ) -> [SQLIdentifier] {
    let cascading = links.filter { link in
      // Of several links, only the first is where rows follow.
      link.former.isJoinTable
        && destination.schema.tables[link.current.table]?.constraints.compactMap(\.foreignKey)
          .contains {
            $0.column == link.current.link && $0.references == pair.after?.name
              && $0.onDelete == .cascade
          } ?? false
    }
    return pairs.filter { other in
      cascading.contains { $0.current.table == other.after?.name }
        || takesAlong(other, with: pair, followers)
        || other.before.constraints.compactMap(\.foreignKey).contains { before in
          guard before.references == pair.before.name else { return false }
          // Links that are elsewhere go by themselves, and nothing else follows.
          let isMoved = links.contains {
            !$0.former.isJoinTable && $0.former.table == other.before.name
              && $0.former.link == before.column
          }
          if isMoved { return before.onDelete != .setNull }
          return other.after?.constraints.compactMap(\.foreignKey).contains { after in
            after.column == other.columns[before.column] && after.references == pair.after?.name
              && after.onDelete != before.onDelete
          } ?? false
        }
    }.map(\.before.name)
  }

  /// Returns whether rows of another table are deleted along with one in one version alone.
  private func takesAlong(
    _ other: Pair,
    with pair: Pair,
    _ followers: (before: ModelProjection.Followers, after: ModelProjection.Followers)
  ) -> Bool {
    guard let after = pair.after?.name, let otherAfter = other.after?.name,
      [after, otherAfter].allSatisfy({ destination.schema.tables[$0] != nil })
    else { return false }
    return followers.before[pair.before.name]?[other.before.name]
      != followers.after[after]?[otherAfter]
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

extension ModelProjection {
  /// How many relationships delete rows of a second table along with a row of a first.
  fileprivate typealias Followers = [SQLIdentifier: [SQLIdentifier: Int]]

  fileprivate var followers: Followers {
    var followers: Followers = [:]
    for entity in model.entities {
      for relationship in entity.relationships where relationship.deleteRule == .cascade {
        // With an action in the model, the foreign key says what is deleted.
        guard !relationship.isTransient, relationship.reference?.onDelete == nil,
          let table = table(of: entity),
          let target = model.entity(named: relationship.destinationEntityName),
          let other = self.table(of: target)
        else { continue }
        followers[table, default: [:]][other, default: 0] += 1
      }
    }
    return followers
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
    case .columnMoved(let column):
      "writes column \"\(column)\", whose values go to other rows or columns"
    case .rowsMoved(let heir): "writes rows from which those of table \"\(heir)\" are computed"
    case .unbridged(let reason), .conflict(let reason): "is not kept in step, since \(reason)"
    }
  }
}
