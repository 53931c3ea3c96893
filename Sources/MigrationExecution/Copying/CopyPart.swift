internal import MigrationPlanning
internal import PostgresClient
internal import SQLSyntax

/// A part of a copy with ranges of its own: the keys of a map, the rows that pass through a policy,
/// or those of a feed.
struct CopyPart: Sendable {
  enum Content: Sendable {
    case keys(IdentityMap)
    case rowPolicy(RowPolicy)
    case rows(CopyFeed, CopiedTable)
    case fill(FilledTable, FillStatements)
  }

  let number: Int
  let content: Content
  let domain: QualifiedName
  let column: SQLIdentifier
  let type: SQLTypeName

  /// The entity mapping that it is of.
  var mappingName: String {
    switch content {
    case .keys(let map): map.mappingName
    case .rowPolicy(let rowPolicy): rowPolicy.mappingName
    case .rows(let feed, _): feed.mappingName
    case .fill(let table, _): table.mappingName
    }
  }

  /// The table that it fills.
  var tableName: String {
    switch content {
    case .keys(let map): map.members.name.name
    case .rowPolicy(let rowPolicy): rowPolicy.table.name.name
    case .rows(_, let table): table.name.name
    case .fill(let table, _): table.name.name
    }
  }

  /// Its name in the metadata.
  var name: String {
    switch content {
    case .keys: "keys of \(mappingName)"
    case .rowPolicy(let rowPolicy): "\(mappingName) through \(rowPolicy.policyClassName)"
    case .rows: "\(mappingName) to \(tableName)"
    case .fill: "columns of \(tableName)"
    }
  }

  /// Returns the parts of a plan, those first that others follow from.
  static func parts(of plan: CopyPlan) -> [CopyPart] {
    var parts: [CopyPart] = []
    for map in plan.maps {
      parts.append(
        CopyPart(
          number: parts.count,
          content: .keys(map),
          domain: QualifiedName(schema: plan.schema, name: map.source),
          column: map.domainColumn,
          type: map.keyType
        )
      )
    }
    for rowPolicy in plan.rowPolicies where rowPolicy.creatorName == nil {
      parts.append(CopyPart(number: parts.count, rowPolicy))
    }
    for table in plan.tables {
      for feed in table.feeds {
        parts.append(
          CopyPart(
            number: parts.count,
            content: .rows(feed, table),
            domain: feed.domain,
            column: feed.domainColumn,
            type: table.unitType
          )
        )
      }
    }
    for table in plan.fills {
      parts.append(
        CopyPart(
          number: parts.count,
          content: .fill(table, FillStatements(of: table, in: plan)),
          domain: QualifiedName(schema: plan.schema, name: table.name),
          column: table.key,
          type: table.keyType
        )
      )
    }
    return parts
  }

  /// Returns how many rows the smallest range has: others wait for rows that are filled.
  func smallest(_ count: Int) -> Int {
    if case .fill = content { min(count, 1_000) } else { count }
  }

  /// Returns the statements that copy a range; none if its rows pass through a policy.
  func statements(
    _ chunk: CopyChunk,
    _ statements: CopyStatements,
    notesChanges: Bool
  ) -> [SQLFragment] {
    switch content {
    case .keys(let map): statements.fill(map, from: chunk.lower, to: chunk.upper)
    case .rowPolicy: []
    case .fill(_, let statements): [statements.fill(from: chunk.lower, to: chunk.upper)]
    case .rows(let feed, let table):
      [
        statements.copy(
          feed,
          of: table,
          from: chunk.lower,
          to: chunk.upper,
          notesChanges: notesChanges
        )
      ]
    }
  }

  /// The table that is filled, whose statistics others need.
  var sideTable: QualifiedName? {
    switch content {
    case .keys(let map): map.members
    case .rowPolicy(let rowPolicy): rowPolicy.table
    case .rows, .fill: nil
    }
  }

  /// How many keys a range has.
  func keyCount(
    _ chunk: CopyChunk,
    _ connection: borrowing PostgresConnection
  ) throws -> Int {
    try connection.query("SELECT count(*) AS count FROM \(domain) WHERE \(condition(chunk))")
      .first?.integer("count") ?? 0
  }

  /// The first key of a range after so many others.
  func key(
    of chunk: CopyChunk,
    after count: Int,
    _ connection: borrowing PostgresConnection
  ) throws -> String? {
    try connection.query(
      """
      SELECT \(column)::text AS key FROM \(domain) WHERE \(condition(chunk)) ORDER BY \(column) \
      OFFSET \(count) LIMIT 1
      """
    ).value
  }

  /// The first key of a range that is greater than one.
  func key(
    of chunk: CopyChunk,
    beyond key: String,
    _ connection: borrowing PostgresConnection
  ) throws -> String? {
    try connection.query(
      """
      SELECT \(column)::text AS key FROM \(domain) WHERE \(condition(chunk)) \
      AND \(column) > \(SQLLiteral.typed(key, type)) ORDER BY \(column) LIMIT 1
      """
    ).value
  }

  private func condition(_ chunk: CopyChunk) -> SQLFragment {
    let bounds: [SQLFragment?] = [
      "\(column) IS NOT NULL",
      chunk.lower.map { "\(column) >= \(SQLLiteral.typed($0, type))" },
      chunk.upper.map { "\(column) < \(SQLLiteral.typed($0, type))" },
    ]
    return bounds.compactMap(\.self).joined(separator: " AND ")
  }

  /// Returns the end of a range of so many keys; none if it is the last one.
  func upperBound(
    after lower: String?,
    size: Int,
    _ statements: CopyStatements,
    _ connection: borrowing PostgresConnection
  ) throws -> String? {
    let query = statements.boundaries(
      of: domain,
      column: column,
      type: type,
      after: lower,
      size: size
    )
    return try connection.query(query).value
  }
}

extension CopyPart {
  /// Creates the part of a rowPolicy.
  init(number: Int, _ rowPolicy: RowPolicy) {
    self.init(
      number: number,
      content: .rowPolicy(rowPolicy),
      domain: rowPolicy.rows.domain,
      column: rowPolicy.rows.domainColumn,
      type: rowPolicy.unitType
    )
  }
}
