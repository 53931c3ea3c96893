internal import ModelMapping
internal import SQLSyntax

/// The way from a row over relationships to what is read there.
struct RelationshipPath: Hashable, Sendable {
  /// One relationship on the way.
  enum Hop: Hashable, Sendable {
    /// The row has the key of the next.
    case forward(column: SQLIdentifier, table: SQLIdentifier)
    /// The next rows have the key of this one.
    case backward(table: SQLIdentifier, column: SQLIdentifier)
    /// A join table has both keys.
    case join(Link, table: SQLIdentifier)

    var table: SQLIdentifier {
      switch self {
      case .forward(_, let table), .backward(let table, _), .join(_, let table): table
      }
    }
  }

  /// The pairs of a relationship, seen from one end.
  struct Link: Hashable, Sendable {
    var table: SQLIdentifier
    var owner: SQLIdentifier
    var destination: SQLIdentifier
    /// A Boolean value that indicates whether a pair counts both ways.
    var isSymmetric: Bool
  }

  var hops: [Hop]
  /// The column that is read at the end; none where rows are counted.
  var value: SQLIdentifier?
  /// How the type of the column is to be read, where sums need more room.
  var valueCast: SQLTypeName?
  var aggregate: KeyPathExpression.Aggregate?

  // MARK: - Reading

  /// Returns the value as a subquery.
  ///
  /// - Parameters:
  ///   - row: What stands before the columns of the row that the way starts from.
  ///   - schema: The schema of the tables.
  ///   - isLocking: Whether the last row is locked.
  /// - Returns: The subquery in parentheses.
  func subquery(
    from row: SQLFragment,
    in schema: SQLIdentifier,
    isLocking: Bool = false
  ) -> SQLFragment {
    var tables: [SQLFragment] = []
    var conditions: [SQLFragment] = []
    var previous = row
    for (index, hop) in hops.enumerated() {
      let next: SQLFragment = "\(SQLIdentifier("remodel_\(index + 1)"))"
      let isCounted = index == hops.count - 1 && value == nil
      switch hop {
      case .forward(let column, let table):
        tables.append("\(QualifiedName(schema: schema, name: table)) AS \(next)")
        conditions.append("\(next).\(StorageNames.key) = \(previous)\(column)")
      case .backward(let table, let column):
        tables.append("\(QualifiedName(schema: schema, name: table)) AS \(next)")
        conditions.append("\(next).\(column) = \(previous)\(StorageNames.key)")
      case .join(let link, let table):
        let pair: SQLFragment = "\(SQLIdentifier("remodel_link_\(index + 1)"))"
        tables.append("\(link.pairs(in: schema)) AS \(pair)")
        conditions.append("\(pair).\(link.owner) = \(previous)\(StorageNames.key)")
        if !isCounted {
          tables.append("\(QualifiedName(schema: schema, name: table)) AS \(next)")
          conditions.append("\(next).\(StorageNames.key) = \(pair).\(link.destination)")
        }
      }
      previous = "\(next)."
    }
    let columns = value.map { "\(previous)\($0)" as SQLFragment }
    let lock: SQLFragment =
      isLocking ? " FOR SHARE OF \(SQLIdentifier("remodel_\(hops.count)"))" : ""
    return """
      (SELECT \(result(columns)) FROM \(tables.joined(separator: ", ")) \
      WHERE \(conditions.joined(separator: " AND "))\(lock))
      """
  }

  private func result(_ column: SQLFragment?) -> SQLFragment {
    guard let column else { return "count(*)" }
    let cast = valueCast.map { "\(column)::\($0)" as SQLFragment } ?? column
    switch aggregate {
    case nil: return column
    case .count: return "count(\(column))"
    case .sum: return "coalesce(sum(\(cast)), 0)"
    case .minimum: return "min(\(column))"
    case .maximum: return "max(\(column))"
    case .average: return "avg(\(cast))"
    }
  }

  /// Returns statements that keep others from changing what a way over to-one relationships leads to
  /// until the transaction ends: they would not know of the row that the value is for.
  func locks(from row: SQLFragment, in schema: SQLIdentifier) -> [SQLFragment] {
    guard aggregate == nil else { return [] }
    return hops.indices.map { index in
      let way = RelationshipPath(hops: Array(hops[...index]), value: StorageNames.key)
      return "PERFORM \(way.subquery(from: row, in: schema, isLocking: true));"
    }
  }

  // MARK: - What it depends on

  /// A table that the value depends on.
  struct Source: Hashable, Sendable {
    var table: SQLIdentifier
    /// The columns that matter.
    var columns: [SQLIdentifier]
    /// A Boolean value that indicates whether the value depends on which rows there are; else a row
    /// cannot go while another refers to it.
    var isMembership: Bool
    fileprivate var hop: Int
    fileprivate var isLink: Bool
  }

  /// The tables that the value depends on, but for that of the row itself.
  var sources: [Source] {
    hops.enumerated().flatMap { index, hop -> [Source] in
      var columns = [StorageNames.key]
      if index + 1 < hops.count, case .forward(let column, _) = hops[index + 1] {
        columns.append(column)
      }
      if index == hops.count - 1, let value { columns.append(value) }
      switch hop {
      case .forward(_, let table):
        return [
          Source(table: table, columns: columns, isMembership: false, hop: index, isLink: false)
        ]
      case .backward(let table, let column):
        return [
          Source(
            table: table,
            columns: columns + (columns.contains(column) ? [] : [column]),
            isMembership: true,
            hop: index,
            isLink: false
          )
        ]
      case .join(let link, let table):
        let pairs = Source(
          table: link.table,
          columns: [link.owner, link.destination],
          isMembership: true,
          hop: index,
          isLink: true
        )
        guard columns.count > 1 else { return [pairs] }
        return [
          pairs,
          Source(table: table, columns: columns, isMembership: false, hop: index, isLink: false),
        ]
      }
    }
  }

  /// Returns the condition on the rows that the way starts from, that it leads to some rows.
  ///
  /// - Parameters:
  ///   - source: The table that the rows are of.
  ///   - rows: The rows, as what comes after FROM.
  ///   - schema: The schema of the tables.
  /// - Returns: The condition.
  func condition(
    that source: Source,
    has rows: SQLFragment,
    in schema: SQLIdentifier
  ) -> SQLFragment {
    var condition = leading(to: keys(source, rows, schema), by: hops[source.hop])
    for hop in hops[..<source.hop].reversed() {
      let table: SQLFragment = "\(QualifiedName(schema: schema, name: hop.table))"
      let previous = keys(of: hop, "\(table) WHERE \(condition)", schema)
      condition = leading(to: previous, by: hop)
    }
    return condition
  }

  private func keys(
    _ source: Source,
    _ rows: SQLFragment,
    _ schema: SQLIdentifier
  ) -> SQLFragment {
    guard source.isLink, case .join(let link, _) = hops[source.hop] else {
      return keys(of: hops[source.hop], rows, schema)
    }
    let keys: SQLFragment = "SELECT \(link.owner) FROM \(rows)"
    return link.isSymmetric ? "\(keys) UNION SELECT \(link.destination) FROM \(rows)" : keys
  }

  /// Returns a query for what the rows before have in common with some rows of the hop's table.
  private func keys(of hop: Hop, _ rows: SQLFragment, _ schema: SQLIdentifier) -> SQLFragment {
    switch hop {
    case .forward: "SELECT \(StorageNames.key) FROM \(rows)"
    case .backward(_, let column): "SELECT \(column) FROM \(rows)"
    case .join(let link, _):
      """
      SELECT \(link.owner) FROM \(link.pairs(in: schema)) AS remodel_pairs \
      WHERE \(link.destination) IN (SELECT \(StorageNames.key) FROM \(rows))
      """
    }
  }

  private func leading(to keys: SQLFragment, by hop: Hop) -> SQLFragment {
    switch hop {
    case .forward(let column, _): "\(column) IN (\(keys))"
    case .backward, .join: "\(StorageNames.key) IN (\(keys))"
    }
  }
}

extension RelationshipPath.Link {
  fileprivate func pairs(in schema: SQLIdentifier) -> SQLFragment {
    let name = QualifiedName(schema: schema, name: table)
    guard isSymmetric else { return "\(name)" }
    return """
      (SELECT \(owner), \(destination) FROM \(name) UNION \
      SELECT \(destination), \(owner) FROM \(name))
      """
  }
}
