internal import ModelMapping
internal import SQLSyntax

/// A path from a row over relationships to the columns that are read at its end.
struct RelationshipPath: Hashable, Sendable {
  /// One relationship on the way.
  enum Hop: Hashable, Sendable {
    /// The row has the key of the next.
    case forward(column: SQLIdentifier, table: SQLIdentifier, Keys)
    /// The next rows have the key of this one.
    case backward(table: SQLIdentifier, column: SQLIdentifier, Keys)
    /// A join table has both keys.
    case join(Link, table: SQLIdentifier, Keys)

    /// The keys of the tables at both ends.
    struct Keys: Hashable, Sendable {
      /// The key of the table that the relationship starts from.
      var previous: SQLIdentifier
      /// The key of the table that it leads to.
      var next: SQLIdentifier
      /// The columns with equal values in rows that belong together, where Citus has these on one node.
      var distribution: Distribution?

      /// The columns that decide which node the rows of both tables are on.
      struct Distribution: Hashable, Sendable {
        var previous: SQLIdentifier
        var next: SQLIdentifier
      }

      /// Returns the condition that rows are on one node, if the key alone does not say it.
      func conditions(from row: SQLFragment, to other: SQLFragment) -> [SQLFragment] {
        distribution.map { ["\(other)\($0.next) = \(row)\($0.previous)"] } ?? []
      }
    }

    var table: SQLIdentifier {
      switch self {
      case .forward(_, let table, _), .backward(let table, _, _), .join(_, let table, _): table
      }
    }

    var keys: Keys {
      switch self {
      case .forward(_, _, let keys), .backward(_, _, let keys), .join(_, _, let keys): keys
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
  /// The type to read the column as, if sums need more room.
  var valueCast: SQLTypeName?
  var aggregate: KeyPathExpression.Aggregate?

  // MARK: - Reading

  /// The text after `FROM` and `WHERE` from a row to the end of the path.
  struct Rows {
    var tables: [SQLFragment] = []
    var conditions: [SQLFragment] = []
    /// The qualifier of the columns of the last rows, and of the pairs that lead to them.
    var last: SQLFragment
    var lastPair: SQLFragment?
  }

  /// Returns the rows at the end of the path.
  ///
  /// - Parameters:
  ///   - row: The qualifier of the columns of the first row.
  ///   - schema: The schema of the tables.
  ///   - depth: The number of tables with names around it.
  ///   - readsLast: Whether the last rows themselves are read, not only counted.
  /// - Returns: The rows.
  func rows(
    from row: SQLFragment,
    in schema: SQLIdentifier,
    depth: Int = 0,
    readsLast: Bool
  ) -> Rows {
    var rows = Rows(last: row)
    for (index, hop) in hops.enumerated() {
      let next: SQLFragment = "\(Self.alias(depth + index + 1))"
      let previous = rows.last
      rows.lastPair = nil
      switch hop {
      case .forward(let column, let table, let keys):
        rows.tables.append("\(QualifiedName(schema: schema, name: table)) AS \(next)")
        rows.conditions.append("\(next).\(keys.next) = \(previous)\(column)")
        rows.conditions += keys.conditions(from: previous, to: "\(next).")
      case .backward(let table, let column, let keys):
        rows.tables.append("\(QualifiedName(schema: schema, name: table)) AS \(next)")
        rows.conditions.append("\(next).\(column) = \(previous)\(keys.previous)")
        rows.conditions += keys.conditions(from: previous, to: "\(next).")
      case .join(let link, let table, let keys):
        let pair: SQLFragment = "\(SQLIdentifier("remodel_link_\(depth + index + 1)"))"
        rows.tables.append("\(link.pairs(in: schema)) AS \(pair)")
        rows.conditions.append("\(pair).\(link.owner) = \(previous)\(keys.previous)")
        rows.lastPair = "\(pair)."
        if readsLast || index < hops.count - 1 {
          rows.tables.append("\(QualifiedName(schema: schema, name: table)) AS \(next)")
          rows.conditions.append("\(next).\(keys.next) = \(pair).\(link.destination)")
        }
      }
      rows.last = "\(next)."
    }
    return rows
  }

  static func alias(_ number: Int) -> SQLIdentifier { SQLIdentifier("remodel_\(number)") }

  /// Returns the value as a subquery.
  ///
  /// - Parameters:
  ///   - row: The qualifier of the columns of the first row.
  ///   - schema: The schema of the tables.
  ///   - depth: The number of tables with names around it.
  ///   - isLocking: Whether the last row is locked.
  /// - Returns: The subquery in parentheses.
  func subquery(
    from row: SQLFragment,
    in schema: SQLIdentifier,
    depth: Int = 0,
    isLocking: Bool = false
  ) -> SQLFragment {
    let rows = rows(from: row, in: schema, depth: depth, readsLast: value != nil)
    let columns = value.map { "\(rows.last)\($0)" as SQLFragment }
    let lock: SQLFragment = isLocking ? " FOR SHARE OF \(Self.alias(depth + hops.count))" : ""
    return """
      (SELECT \(result(columns)) FROM \(rows.tables.joined(separator: ", ")) \
      WHERE \(rows.conditions.joined(separator: " AND "))\(lock))
      """
  }

  private func result(_ column: SQLFragment?) -> SQLFragment {
    guard let column else { return "count(*)" }
    let cast = valueCast.map { "\(column)::\($0)" as SQLFragment } ?? column
    switch aggregate {
    case nil, .unionOfObjects, .distinctUnionOfObjects: return column
    case .count: return "count(\(column))"
    case .sum: return "coalesce(sum(\(cast)), 0)"
    case .minimum: return "min(\(column))"
    case .maximum: return "max(\(column))"
    case .average: return "avg(\(cast))"
    }
  }

  /// Returns statements that lock the rows on a path over to-one relationships until the
  /// transaction ends: their writers would not see the row that the value is for.
  func locks(from row: SQLFragment, in schema: SQLIdentifier) -> [SQLFragment] {
    guard aggregate == nil else { return [] }
    return hops.indices.map { index in
      let way = RelationshipPath(hops: Array(hops[...index]), value: hops[index].keys.next)
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
      var columns = [hop.keys.next]
      if index + 1 < hops.count, case .forward(let column, _, _) = hops[index + 1] {
        columns.append(column)
      }
      if index == hops.count - 1, let value { columns.append(value) }
      switch hop {
      case .forward(_, let table, _):
        return [
          Source(table: table, columns: columns, isMembership: false, hop: index, isLink: false)
        ]
      case .backward(let table, let column, _):
        return [
          Source(
            table: table,
            columns: columns + (columns.contains(column) ? [] : [column]),
            isMembership: true,
            hop: index,
            isLink: false
          )
        ]
      case .join(let link, let table, _):
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

  /// Returns the condition that the path from a row reaches at least one row.
  ///
  /// - Parameters:
  ///   - source: The table that the rows are of.
  ///   - rows: The rows, for FROM.
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
    guard source.isLink, case .join(let link, _, _) = hops[source.hop] else {
      return keys(of: hops[source.hop], rows, schema)
    }
    let keys: SQLFragment = "SELECT \(link.owner) FROM \(rows)"
    return link.isSymmetric ? "\(keys) UNION SELECT \(link.destination) FROM \(rows)" : keys
  }

  /// Returns a query for the keys that rows and some rows of the hop's table have in common.
  private func keys(of hop: Hop, _ rows: SQLFragment, _ schema: SQLIdentifier) -> SQLFragment {
    switch hop {
    case .forward(_, _, let keys): "SELECT \(keys.next) FROM \(rows)"
    case .backward(_, let column, _): "SELECT \(column) FROM \(rows)"
    case .join(let link, _, let keys):
      """
      SELECT \(link.owner) FROM \(link.pairs(in: schema)) AS remodel_pairs \
      WHERE \(link.destination) IN (SELECT \(keys.next) FROM \(rows))
      """
    }
  }

  private func leading(to keys: SQLFragment, by hop: Hop) -> SQLFragment {
    switch hop {
    case .forward(let column, _, _): "\(column) IN (\(keys))"
    case .backward, .join: "\(hop.keys.previous) IN (\(keys))"
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
