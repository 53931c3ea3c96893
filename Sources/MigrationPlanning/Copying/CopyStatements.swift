public import SQLSyntax

/// The statements that carry out a ``CopyPlan``.
///
/// Every row of a table that is made belongs to a *unit*, and all rows of a unit are derived together
/// from what the sources hold. What changes in the sources while they are copied is put into queues
/// as keys, never as values; later the units that follow from the keys are derived anew. So it does
/// not matter in which order entries are taken, nor whether one is taken twice:
///
/// > For every snapshot and every unit that has been copied and does not follow from an entry in a
/// > queue: the rows of the unit are those that are derived from the sources.
public struct CopyStatements: Hashable, Sendable {
  /// What is carried out.
  public let plan: CopyPlan

  /// Creates the statements of a plan.
  public init(_ plan: CopyPlan) {
    self.plan = plan
  }

  /// Returns the query for the end of a range of keys, as text; NULL or no row is the open end.
  ///
  /// - Parameters:
  ///   - domain: The relation that has the keys.
  ///   - column: The column of the keys, with an index.
  ///   - type: The type of the keys.
  ///   - start: The end of the range before, or `nil` if this is the first range.
  ///   - size: How many keys the range is to have.
  /// - Returns: The query.
  public func boundaries(
    of domain: QualifiedName,
    column: SQLIdentifier,
    type: SQLTypeName,
    after start: String?,
    size: Int
  ) -> SQLFragment {
    // Keys need not be unique: beyond the start, or the same key could be the end for ever.
    let (condition, offset): (SQLFragment, Int) =
      if let start {
        ("> \(.typed(start, type))", max(size - 1, 0))
      } else {
        ("IS NOT NULL", max(size, 1))
      }
    return """
      SELECT \(column)::text AS boundary FROM \(domain) WHERE \(column) \(condition)
        ORDER BY \(column) OFFSET \(.integer(Int64(offset))) LIMIT 1
      """
  }

  /// Returns the statements that give keys to the rows of a range of a map's source.
  ///
  /// - Parameters:
  ///   - map: The map.
  ///   - start: The first key, or `nil` if the range is open.
  ///   - end: The key after the last, or `nil` if the range is open.
  /// - Returns: The statements.
  public func fill(
    _ map: IdentityMap,
    from start: String?,
    to end: String?
  ) -> [SQLFragment] {
    let range = KeyRange(start: start, end: end, type: map.keyType)
    return map.fill.map { $0.sql(range.condition) }
  }

  /// Returns the statement that copies the rows of a range of units.
  ///
  /// It is a plain `INSERT`: a row that is there already is a fault, not something to pass over. But a
  /// row that has become one of another entity since may have come to the table by that one's range;
  /// while changes are noted it is among them, and is derived anew.
  ///
  /// - Parameters:
  ///   - feed: Where the rows come from.
  ///   - table: The table that is made.
  ///   - start: The first unit, or `nil` if the range is open.
  ///   - end: The unit after the last, or `nil` if the range is open.
  ///   - notesChanges: Whether the keys of what changes are noted meanwhile.
  /// - Returns: The statement.
  public func copy(
    _ feed: CopyFeed,
    of table: CopiedTable,
    from start: String?,
    to end: String?,
    notesChanges: Bool = false
  ) -> SQLFragment {
    let range = KeyRange(start: start, end: end, type: table.unitType)
    if let insertion = feed.insertion { return insertion.sql(range.condition) }
    let isShared = notesChanges && table.feeds.count > 1 && table.key == [table.unit]
    let passing: SQLFragment = isShared ? "\nON CONFLICT (\(table.unit)) DO NOTHING" : ""
    return """
      INSERT INTO \(staged(table)) (\(table.columns))\(table.overriding)
      \(feed.query(range.condition))\(passing)
      """
  }

  /// The name of a table that is made, before it comes to its place.
  func staged(_ table: CopiedTable) -> QualifiedName {
    QualifiedName(schema: plan.stagingSchema, name: table.name)
  }

  /// The name of a table of the source.
  func name(_ source: CopySource) -> QualifiedName {
    QualifiedName(schema: plan.schema, name: source.table)
  }
}

/// A part of the keys of a relation, from the first one up to the one after the last.
struct KeyRange {
  var start: String?
  var end: String?
  var type: SQLTypeName

  /// Returns the condition that a key is in the range; NULL is in none.
  func condition(_ key: SQLFragment) -> SQLFragment {
    switch (start, end) {
    case (let start?, let end?):
      "(\(key) >= \(.typed(start, type)) AND \(key) < \(.typed(end, type)))"
    case (let start?, nil): "\(key) >= \(.typed(start, type))"
    case (nil, let end?): "\(key) < \(.typed(end, type))"
    case (nil, nil): "\(key) IS NOT NULL"
    }
  }
}
