internal import SQLSyntax

/// Puts the links of a relationship where the destination keeps them, all at once.
///
/// ```sql
/// UPDATE "s"."t" SET "c" = link.target FROM (…) AS link WHERE "_id" = link.owner;
/// INSERT INTO "s"."j" ("a", "b") SELECT link.owner, link.target FROM (…) AS link
/// ```
struct MoveLinks: SchemaOperation {
  /// Where the links come to.
  var place: LinkPlace
  /// Whether each link is a row there.
  var isJoinTable: Bool
  /// Queries for the links: owner, target, their places among one another.
  var sources: [LinkQuery]
  /// Whether there are links at the place already, which take precedence.
  var hasLinks: Bool

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
    }
    dependencies.provides.formUnion([
      .values(table, place.target), .movedValues(table, place.target), .ownReads(table),
    ])
    if isJoinTable { dependencies.provides.formUnion([.rows(table), .values(table, place.owner)]) }
    return dependencies
  }

  var impact: OperationImpact {
    var impact = OperationImpact(locks: [table: .rowExclusive])
    for source in sources {
      for read in [source.place.table] + source.entityTables {
        impact.locks[read] = max(impact.locks[read] ?? .accessShare, .accessShare)
        impact.scans.insert(read)
      }
    }
    if !isJoinTable { impact.scans.insert(table) }
    return impact
  }

  func sql(in schema: SQLIdentifier) -> OperationSQL {
    let target = QualifiedName(schema: schema, name: table)
    let links = LinkQuery.union(of: sources, in: schema)
    let positions = [
      (place.targetPosition, "target_position" as SQLIdentifier),
      (place.ownerPosition, "owner_position"),
    ].compactMap { column, name in column.map { ($0, name) } }
    if isJoinTable {
      let columns = [place.owner, place.target] + positions.map(\.0)
      let values = positions.map { ", link.\($0.1)" as SQLFragment }.joined(separator: "")
      let present: SQLFragment =
        hasLinks
        ? " ON CONFLICT DO NOTHING" : ""
      return .statements([
        """
        INSERT INTO \(target) (\(columns)) SELECT link.owner, link.target\(values) \
        FROM (\(links)) AS link\(present)
        """
      ])
    }
    let places = positions.map { ", \($0.0) = link.\($0.1)" as SQLFragment }.joined(separator: "")
    let free: SQLFragment = hasLinks ? " AND moved.\(place.target) IS NULL" : ""
    return .statements([
      """
      UPDATE \(target) AS moved SET \(place.target) = link.target\(places) \
      FROM (\(links)) AS link WHERE moved.\(place.owner) = link.owner\(free)
      """
    ])
  }

  func apply(to schema: inout DatabaseSchema) {
    // Rows are no part of the schema.
  }
}
