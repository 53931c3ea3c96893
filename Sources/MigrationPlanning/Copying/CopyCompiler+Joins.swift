internal import ModelMapping
internal import ObjectModel
internal import SQLSyntax

extension CopyCompiler {
  /// Compiles the join table of a relationship.
  mutating func addJoinTable(_ join: CopyScope.JoinName) {
    guard let owner = destination.model.entity(named: join.entityName),
      let relationship = owner.relationships.first(where: { $0.name == join.relationshipName }),
      let place = destination.linkPlace(of: relationship, declaredBy: owner),
      let table = destination.schema.tables[place.table]
    else { return }
    dependencies = []
    var end = (declaringEntity: owner, relationship: relationship)
    var seen = place
    if let inverse = destination.model.inverse(of: relationship), isComputed(inverse),
      !isComputed(end)
    {
      end = inverse
      seen = place.reversed
    }
    var feeds: [CopyFeed] = []
    for rows in owners(of: end.declaringEntity) {
      feeds += self.feeds(of: rows, end.relationship, at: seen, table)
    }
    plan.tables.append(
      CopiedTable(
        name: table.name,
        columns: table.columns.map(\.name),
        key: [place.owner, place.target],
        unit: seen.owner,
        unitType: table.column(seen.owner)?.type ?? "bigint",
        comparedAsText: [],
        feeds: feeds,
        dependencies: dependencies
      )
    )
  }

  private func owners(of entity: EntityDescription) -> [MappedRows] {
    let family = Set(destination.model.family(of: entity).map(\.name))
    return mapping.mappingModel.entityMappings.compactMap { rows[$0.name] }
      .filter { family.contains($0.target.name) }
  }

  private func isComputed(
    _ end: (declaringEntity: EntityDescription, relationship: RelationshipDescription)
  ) -> Bool {
    owners(of: end.declaringEntity).contains { rows in
      guard case .expression = rows.mapping(of: end.relationship.name)?.valueExpression else {
        return false
      }
      return true
    }
  }

  private mutating func feeds(
    of rows: MappedRows,
    _ relationship: RelationshipDescription,
    at place: LinkPlace,
    _ table: Table
  ) -> [CopyFeed] {
    guard !rows.mapping.makesWrittenLinks, let links = ownLinks(of: relationship, rows) else {
      return []
    }
    var condition: SQLFragment?
    if rows.mapping.makesWrittenRows, rows.map == nil {
      guard let found = unmappedRow(of: rows, "\(rows.unit)") else { return [] }
      condition = "\(found) IS NOT NULL"
    }
    let queries = queries(links, rows, condition: condition)
    guard !queries.isEmpty else { return [] }
    for dependency in rows.dependencies(changes, in: schema) { add(dependency) }
    reads.watch(rows.decidingColumns.union([rows.key]), of: rows.table)
    for path in rows.decidingPaths { depend(on: path, of: rows) }
    let domain = rows.domain(in: schema)
    let values = table.columns.map { column -> SQLFragment in
      switch column.name {
      case place.owner: "links.owner"
      case place.target: "links.target"
      case place.targetPosition: number("owner", "target")
      // All are numbered in the end, those last that had no place.
      case place.ownerPosition: "coalesce(links.owner_position, 2147483647)"
      default: "NULL"  // A join table has no other columns.
      }
    }
    if let position = place.ownerPosition {
      unnumbered.insert(
        UnnumberedLinks(table: table.name, position: position, owner: place.target)
      )
    }
    return [
      CopyFeed(
        mappingName: rows.mapping.name,
        values: values,
        origin: """
          (SELECT owner, target, min(target_position) AS target_position, \
          min(owner_position) AS owner_position FROM (\(queries.joined(separator: " UNION ALL "))) \
          AS found WHERE target IS NOT NULL GROUP BY owner, target) AS links
          """,
        unit: "links.owner",
        conditions: [],
        choice: [],
        domain: domain.relation,
        domainColumn: domain.column,
        insertion: nil
      )
    ]
  }

  /// The places of the links of each owner, those first that had one.
  private func number(_ owner: SQLIdentifier, _ target: SQLIdentifier) -> SQLFragment {
    """
    row_number() OVER (PARTITION BY links.\(owner) ORDER BY links.target_position, \
    links.\(target)) - 1
    """
  }

  private mutating func ownLinks(
    of relationship: RelationshipDescription,
    _ rows: MappedRows
  ) -> LinkSource? {
    switch rows.mapping(of: relationship.name)?.valueExpression {
    case .expression, .destinationInstances: links(of: relationship, rows)
    case .sourceAttribute, nil: nil
    }
  }

  /// Returns queries for the keys of owners and targets.
  private mutating func queries(
    _ links: LinkSource,
    _ rows: MappedRows,
    condition: SQLFragment?
  ) -> [SQLFragment] {
    let conditions = rows.conditions + [condition].compactMap(\.self)
    let filter: SQLFragment =
      conditions.isEmpty ? "" : " WHERE \(conditions.joined(separator: " AND "))"
    let origin = rows.origin(in: schema)
    switch links {
    case .none: return []
    case .way(let way, let via):
      if let place = way.place { reads.watch(place) }
      if !way.path.hops.isEmpty { depend(on: way.path, of: rows) }
      guard let target = translated("link.target", way, via, rows) else { return [] }
      return [
        """
        SELECT \(rows.unit) AS owner, \(target) AS target, link.target_position, \
        link.owner_position FROM \(origin) CROSS JOIN LATERAL \(way.links(in: schema)) AS link\
        \(filter)
        """
      ]
    case .keyed:
      guard let target = key(links, rows) else { return [] }
      return [
        """
        SELECT \(rows.unit) AS owner, \(target) AS target, NULL::integer AS target_position, \
        NULL::integer AS owner_position FROM \(origin)\(filter)
        """
      ]
    case .choice(let choice, let first, let second):
      let both = [condition, choice].compactMap(\.self).map { "(\($0))" as SQLFragment }
      let neither = [condition.map { "(\($0))" as SQLFragment }, "((\(choice)) IS NOT TRUE)"]
        .compactMap(\.self)
      return queries(first, rows, condition: both.joined(separator: " AND "))
        + queries(second, rows, condition: neither.joined(separator: " AND "))
    }
  }
}
