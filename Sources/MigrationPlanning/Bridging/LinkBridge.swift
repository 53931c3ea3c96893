internal import ObjectModel
package import SQLSyntax

/// Two places of the same links: where the version before has them, and where the new one does.
struct LinkBridgeDraft: Hashable, Sendable {
  /// The place in the version before, under its names.
  let former: LinkPlace
  /// The place in the new version.
  let current: LinkPlace
  /// The positions that both have.
  let positions: Set<LinkPlace.Position>
  /// Those that are numbered again where links come to.
  let numberedPositions: Set<LinkPlace.Position>

  /// Finds out whether links that move can be written in both places.
  ///
  /// - Parameters:
  ///   - move: The move.
  ///   - former: The place in the version before.
  ///   - match: The match of both versions.
  ///   - kinds: The kinds of the tables before.
  init?(_ move: MoveLinks, _ former: LinkPlace, _ match: SchemaMatch, _ kinds: TableKinds) {
    let current = move.place
    // All links move, and between all rows: otherwise they would not be the same ones.
    guard !move.hasLinks, move.sources.count == 1, let query = move.sources.first,
      query.ownerCondition == nil, query.targetCondition == nil
    else { return nil }
    guard let old = match.source.schema.tables[former.table],
      let new = match.destination.schema.tables[current.table],
      old.column(former.owner)?.type == new.column(current.owner)?.type,
      old.column(former.target)?.type == new.column(current.target)?.type
    else { return nil }
    // The column or the table is there for the version before alone.
    let isLeft =
      former.isJoinTable
      ? match.tables[former.table] == nil
      : match.tables[former.table] != nil
        && match.columns[former.table]?[former.link] == nil
    guard isLeft else { return nil }
    // Other nodes run no triggers.
    guard kinds[former.table]?.isOnOtherNodes != true, old.distribution == nil,
      new.distribution == nil
    else { return nil }
    self.former = former
    self.current = current
    positions = Set(
      LinkPlace.Position.allCases.filter {
        former.column(of: $0) != nil && current.column(of: $0) != nil
      }
    )
    numberedPositions = positions.intersection(move.numberedPositions)
  }
}

extension LinkBridgeDraft {
  /// Returns whether a column refers to rows that are there, since the foreign key of the new place is about every
  /// link.
  func keeps(_ column: SQLIdentifier, of table: SQLIdentifier) -> Bool {
    former.table == table && former.link == column && current.isJoinTable
  }
}

/// What keeps links in step that two served versions have in different places.
///
/// A link that is added or removed at one place is added to or removed from the other; where only one fits, the first
/// is there until it is removed.
package struct LinkBridge: Hashable, Sendable, Codable {
  /// A table that links at the former place lead to, which has no foreign key there any more.
  struct End: Hashable, Sendable, Codable {
    /// The table.
    let table: SQLIdentifier
    /// Its key.
    let key: SQLIdentifier
    /// The column of the place that has such keys.
    let column: SQLIdentifier
  }

  /// The place of the version before.
  let former: LinkPlace
  /// The place of the new version.
  let current: LinkPlace
  /// The positions that are the same at both places.
  let positions: Set<LinkPlace.Position>
  /// Those that have to be taken from the new place at first.
  let numberedPositions: Set<LinkPlace.Position>
  /// The ends of the former place, whose deleted rows take their links along; none if the new place is a table of
  /// its own, whose foreign keys do so for every link.
  let ends: [End]
  /// A Boolean value that indicates whether at most one row may have a link to another at the new place.
  let isCurrentUnique: Bool

  /// Creates the bridge of links.
  ///
  /// - Parameters:
  ///   - draft: Both places.
  ///   - comparison: Both versions, with the names in the end.
  ///   - schema: The tables of the new version, with the constraints that hold later.
  init?(_ draft: LinkBridgeDraft, _ comparison: ReleaseComparison, in schema: DatabaseSchema) {
    guard let table = comparison.tablesAfter[draft.former.table],
      let old = comparison.source.schema.tables[draft.former.table]
    else { return nil }
    let columns = comparison.columnsAfter[draft.former.table] ?? [:]
    former = draft.former.renamed(table, columns)
    current = draft.current
    positions = draft.positions
    numberedPositions = draft.numberedPositions
    let current = current
    let foreignKeys = old.constraints.compactMap(\.foreignKey).filter { foreignKey in
      draft.former.isJoinTable
        || !draft.current.isJoinTable && foreignKey.column == draft.former.link
    }
    ends = foreignKeys.compactMap { foreignKey in
      guard let end = comparison.tablesAfter[foreignKey.references] else { return nil }
      let keys = comparison.columnsAfter[foreignKey.references]
      return End(
        table: end,
        key: keys?[foreignKey.key] ?? foreignKey.key,
        column: columns[foreignKey.column] ?? foreignKey.column
      )
    }
    let new = schema.tables[current.table]
    isCurrentUnique =
      !current.isJoinTable
      && new?.keys.contains { $0.columns == [current.link] && !$0.isPrimary } ?? false
  }

  /// The tables with triggers.
  package var tables: Set<SQLIdentifier> {
    Set([former.table, current.table] + ends.map(\.table))
  }
}

extension LinkPlace {
  /// The column that has a value where there is a link: that beside the key; of a join table, the one of those that it
  /// leads to.
  var link: SQLIdentifier { isInTarget ? owner : target }
}

extension MigrationStep {
  /// The tables with both places of some links, and what writers of either need at both.
  package struct LinkAccess {
    /// A table, and the privileges there.
    package struct Target {
      /// The table, as it is called after the step.
      package let table: QualifiedName
      /// The privileges, as GRANT takes them.
      package let privileges: SQLFragment
    }

    /// The tables with links, as they are called before the step.
    package let tables: [SQLIdentifier]
    /// The places after the step.
    package let targets: [Target]
  }

  /// What those who write links at one place need at the other.
  package var linkAccesses: [LinkAccess] {
    let schema = destination.projection.schema
    return (interfaces ?? []).flatMap(\.links).filter(links.contains).map { link in
      let places = [link.former, link.current]
      let before = places.compactMap { place in
        releaseTables.first { $0.table == place.table }?.name
      }
      return LinkAccess(
        tables: before,
        targets: places.map { place in
          LinkAccess.Target(table: schema.qualified(place.table), privileges: place.privileges)
        }
      )
    }
  }
}

extension LinkPlace {
  /// The privileges that adding and removing links takes, as GRANT takes them.
  fileprivate var privileges: SQLFragment {
    if isJoinTable { return "SELECT, INSERT, UPDATE, DELETE" }
    let written = [link] + [ownerPosition, targetPosition].compactMap(\.self)
    return "SELECT (\([isInTarget ? target : owner] + written)), UPDATE (\(written))"
  }
}
