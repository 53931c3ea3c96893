internal import SQLSyntax

/// Puts the links of a relationship where the destination keeps them, all at once.
///
/// ```sql
/// UPDATE "s"."t" SET "c" = link.target FROM (…) AS link WHERE "_id" = link.owner;
/// INSERT INTO "s"."j" ("a", "b") SELECT link.owner, link.target FROM (…) AS link
/// ```
struct MoveLinks: SchemaOperation {
  /// The new place of the links.
  var place: LinkPlace
  /// Whether each link is a row there.
  var isJoinTable: Bool
  /// Queries for the links: owner, target, their places among one another.
  var sources: [LinkQuery]
  /// Whether there are links at the place already, which take precedence.
  var hasLinks: Bool
  /// The positions that are numbered again, since not all of the links had one.
  var numberedPositions: Set<LinkPlace.Position> = []

  var table: SQLIdentifier { place.table }
  var summary: String { "move links to column \"\(place.target)\" of table \"\(table)\"" }

  var dependencies: OperationDependencies {
    var dependencies = OperationDependencies()
    dependencies.requires = [
      .table(table), .columnName(table, place.owner), .columnName(table, place.target),
      .columnType(table, place.target), .freedom(table, place.target), .quiet(table),
      .arrived(table), .cut(table),
    ]
    for position in [place.ownerPosition, place.targetPosition].compactMap(\.self) {
      dependencies.requires.formUnion([
        .columnName(table, position), .columnType(table, position), .freedom(table, position),
      ])
      dependencies.provides.formUnion([.movedValues(table, position), .values(table, position)])
    }
    for source in sources {
      for read in [source.place.table] + source.entityTables {
        dependencies.requires.formUnion([.table(read), .cut(read)])
        dependencies.provides.insert(.reads(read))
      }
      for column in [source.place.owner, source.place.target] {
        dependencies.provides.insert(.linkReads(source.place.table, column))
      }
    }
    // Links that come to others must not be taken for those that were there.
    if hasLinks { dependencies.requires.insert(.linkReads(table, place.target)) }
    dependencies.provides.formUnion([
      .values(table, place.target), .movedValues(table, place.target), .ownReads(table),
      .movedLinks(table, place.target),
    ])
    if isJoinTable { dependencies.provides.formUnion([.rows(table), .values(table, place.owner)]) }
    return dependencies
  }

  var rank: OperationRank { .values }
  var traits: OperationTraits { [] }
  var rowChange: RowChange { .links }

  var impact: OperationImpact {
    var impact = OperationImpact(locks: [table: .rowExclusive])
    for source in sources {
      for read in [source.place.table] + source.entityTables {
        impact.locks[read] = max(impact.locks[read] ?? .accessShare, .accessShare)
        impact.scans.insert(read)
      }
    }
    // Rows of a join table are only read if some links must not be duplicated.
    if !isJoinTable || hasLinks { impact.scans.insert(table) }
    return impact
  }

  func rowWork(in schema: DatabaseSchema) -> [[RowWork]] {
    let name = schema.qualified(table)
    guard isJoinTable else { return [impact.reading(in: schema.name) + [.change(name)]] }
    return [sources.map { .fill(name, from: schema.qualified($0.place.table), .links) }]
  }

  var subjects: [OperationSubject] { [OperationSubject(column: place.target)] }

  var outcome: OperationOutcome {
    // Places come along with links that had some.
    let places = LinkPlace.Position.allCases.compactMap { position in
      sources.allSatisfy { $0.place.column(of: position) != nil } ? place.column(of: position) : nil
    }
    return OperationOutcome(
      filledTables: [table],
      writtenColumns: [place.target, place.owner] + places
    )
  }

  func sql(in schema: SQLIdentifier) -> OperationSQL {
    let target = QualifiedName(schema: schema, name: table)
    let columns = LinkPlace.Position.allCases.compactMap { position in
      place.column(of: position).map { (position, $0) }
    }
    let known = Set(columns.map(\.0).filter(hasPlaces))
    let links = LinkQuery.union(of: sources, in: schema, with: known)
    let places = columns.map { (column: $0.1, value: value(of: $0.0, in: schema)) }
    if isJoinTable {
      guard hasLinks || !places.isEmpty else {
        return .statements(["INSERT INTO \(target) (\([place.owner, place.target])) \(links)"])
      }
      let names = [place.owner, place.target] + places.map(\.column)
      let values = places.map { ", \($0.value)" as SQLFragment }.joined(separator: "")
      // The key that forbids duplicates may only be added afterwards.
      let absent: SQLFragment =
        hasLinks
        ? """
         WHERE NOT EXISTS (SELECT FROM \(target) AS present WHERE present.\(place.owner) = link.owner \
        AND present.\(place.target) = link.target)
        """ : ""
      return .statements([
        """
        INSERT INTO \(target) (\(names)) SELECT link.owner, link.target\(values) \
        FROM (\(links)) AS link\(absent)
        """
      ])
    }
    let isNumbered = columns.contains { numberedPositions.contains($0.0) }
    let changes = places.map { place -> SQLFragment in
      ", \(place.column) = \(isNumbered ? "link.\(place.column)" : place.value)"
    }.joined(separator: "")
    let numbers = places.map { ", \($0.value) AS \($0.column)" as SQLFragment }
      .joined(separator: "")
    let numbered: SQLFragment =
      isNumbered ? "SELECT owner, target\(numbers) FROM (\(links)) AS link" : links
    let free: SQLFragment = hasLinks ? " AND moved.\(place.target) IS NULL" : ""
    return .statements([
      """
      UPDATE \(target) AS moved SET \(place.target) = link.target\(changes) \
      FROM (\(numbered)) AS link WHERE moved.\(place.owner) = link.owner\(free)
      """
    ])
  }

  /// Returns whether any of the links had places before.
  private func hasPlaces(_ position: LinkPlace.Position) -> Bool {
    sources.contains { $0.place.column(of: position) != nil }
  }

  /// Returns the position of a link: its old one, its number among those that move together, or one
  /// after the existing links.
  private func value(of position: LinkPlace.Position, in schema: SQLIdentifier) -> SQLFragment {
    let isAppended = hasLinks && isJoinTable
    guard isAppended || numberedPositions.contains(position) else {
      return hasPlaces(position) ? "link.\(position.name)" : "NULL::integer"
    }
    let (owner, end, other): (SQLIdentifier, SQLIdentifier, SQLIdentifier) =
      switch position {
      case .ofTarget: (place.owner, "owner", "target")
      case .ofOwner: (place.target, "target", "owner")
      }
    let known: SQLFragment = hasPlaces(position) ? "link.\(position.name), " : ""
    let number: SQLFragment =
      "row_number() OVER (PARTITION BY link.\(end) ORDER BY \(known)link.\(other))"
    guard isAppended, let column = place.column(of: position) else { return "\(number) - 1" }
    return """
      \(number) + coalesce((SELECT max(\(column)) FROM \
      \(QualifiedName(schema: schema, name: table)) AS present \
      WHERE present.\(owner) = link.\(end)), -1)
      """
  }

  func apply(to schema: inout DatabaseSchema) {
    // Rows are no part of the schema.
  }
}
