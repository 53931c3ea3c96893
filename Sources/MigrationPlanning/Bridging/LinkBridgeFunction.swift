internal import ObjectModel
internal import SQLSyntax

/// The function that writes links at one place when they are written at the other.
struct LinkBridgeFunction {
  private let bridge: LinkBridge
  private let schema: SQLIdentifier
  /// The place that is written.
  private let source: LinkPlace
  /// The place where the same is written.
  private let place: LinkPlace
  /// The table of the latter.
  private let table: QualifiedName

  /// Creates the function of one direction.
  ///
  /// - Parameters:
  ///   - bridge: The bridge.
  ///   - schema: The schema of the tables.
  ///   - source: The place that is written.
  ///   - place: The place where the same is written.
  init(
    _ bridge: LinkBridge,
    in schema: SQLIdentifier,
    from source: LinkPlace,
    to place: LinkPlace
  ) {
    self.bridge = bridge
    self.schema = schema
    self.source = source
    self.place = place
    table = QualifiedName(schema: schema, name: place.table)
  }

  /// A Boolean value that indicates whether a new row without a link can have one already, in a table of links that was
  /// written before it.
  var findsLinks: Bool { !source.isJoinTable && place.isJoinTable }

  /// The columns whose changes count.
  var columns: [SQLIdentifier] {
    [source.owner, source.target]
      + source.positions.filter { bridge.positions.contains($0.position) }.map(\.column)
  }

  /// The code of the function.
  var body: SQLFragment {
    let (new, old) = (Link(source, "NEW"), Link(source, "OLD"))
    var lines: [SQLFragment] = ["IF TG_OP = 'DELETE' THEN"]
    lines += removal(of: old, isOfRow: true).map { "  \($0)" }
    lines += ["  RETURN NULL;", "END IF;", "IF TG_OP = 'UPDATE' THEN"]
    lines.append(
      """
        IF OLD.\(source.owner) IS NOT DISTINCT FROM NEW.\(source.owner)
            AND OLD.\(source.target) IS NOT DISTINCT FROM NEW.\(source.target) THEN
      """
    )
    lines += [reordering(of: new)].compactMap(\.self).map { "    \($0);" }
    lines += ["    RETURN NULL;", "  END IF;"]
    lines += removal(of: old).map { "  \($0)" }
    lines.append("END IF;")
    if let discovery = discovery(of: new) {
      lines.append("IF TG_OP = 'INSERT' AND NEW.\(source.link) IS NULL THEN")
      lines += discovery.map { "  \($0)" }
      lines += ["  RETURN NULL;", "END IF;"]
    }
    lines += addition(of: new)
    lines.append("RETURN NULL;")
    let declaration: SQLFragment =
      place.isJoinTable ? "" : "\nDECLARE\n  \(Self.isDue) boolean;"
    return "\(declaration)\nBEGIN\n  \(lines.joined(separator: "\n  "))\nEND\n"
  }

  // MARK: - Statements

  /// A link in a row of the table of a place.
  private struct Link {
    let place: LinkPlace
    let row: SQLFragment
    let owner: SQLFragment
    let target: SQLFragment

    init(_ place: LinkPlace, _ row: SQLFragment) {
      self.place = place
      self.row = row
      owner = "\(row).\(place.owner)"
      target = "\(row).\(place.target)"
    }

    func position(_ position: LinkPlace.Position) -> SQLFragment? {
      place.column(of: position).map { "\(row).\($0)" }
    }

    /// The end that has the links of a place in its row.
    func key(in place: LinkPlace) -> SQLFragment { place.isInTarget ? target : owner }

    /// The other end.
    func value(in place: LinkPlace) -> SQLFragment { place.isInTarget ? owner : target }

    func isThat(in place: LinkPlace) -> SQLFragment {
      "link.\(place.owner) = \(owner) AND link.\(place.target) = \(target)"
    }
  }

  /// The variable that says whether a row has to be changed.
  private static let isDue: SQLIdentifier = "is_due"

  /// The column with the key of the rows that have the links.
  private var key: SQLIdentifier { place.column(keyOf: place) }

  /// Returns the lines that change the row of the place which has the links, if it is due.
  ///
  /// The first statement waits for others who change the links of the same row, so that the second one sees them.
  ///
  /// - Parameters:
  ///   - link: The link.
  ///   - isDue: The condition, on that row alone.
  ///   - condition: A condition besides, which begins with `AND`, on other rows.
  ///   - change: What is set.
  /// - Returns: The lines.
  private func change(
    rowOf link: Link,
    where isDue: SQLFragment,
    besides condition: SQLFragment = "",
    _ change: SQLFragment
  ) -> [SQLFragment] {
    [
      """
      SELECT \(isDue) INTO \(Self.isDue) FROM \(table) AS link
          WHERE link.\(key) = \(link.key(in: place)) FOR NO KEY UPDATE;
      """,
      "IF \(Self.isDue) THEN",
      """
        UPDATE \(table) AS link SET \(change)
            WHERE link.\(key) = \(link.key(in: place))\(condition);
      """,
      "END IF;",
    ]
  }

  private func addition(of link: Link) -> [SQLFragment] {
    let positions = place.positions.map { position, column in
      (column: column, value: self.position(position, of: link))
    }
    if place.isJoinTable {
      let names = [place.owner, place.target] + positions.map(\.column)
      let values = [link.owner, link.target] + positions.map(\.value)
      return [
        """
        INSERT INTO \(table) (\(names)) SELECT \(values.joined(separator: ", "))
            WHERE \(link.owner) IS NOT NULL AND \(link.target) IS NOT NULL ON CONFLICT DO NOTHING;
        """
      ]
    }
    let value = link.value(in: place)
    let changes = positions.map { ", \($0.column) = \($0.value)" as SQLFragment }
      .joined(separator: "")
    return change(
      rowOf: link,
      where: "link.\(place.link) IS NULL AND \(value) IS NOT NULL",
      besides: isFree(value),
      "\(place.link) = \(value)\(changes)"
    )
  }

  /// Returns the lines that remove a link, and have the next one take its place where only one fits.
  ///
  /// - Parameters:
  ///   - link: The link.
  ///   - isOfRow: Whether the row of the link is deleted, which a foreign key of the place may have noticed before.
  /// - Returns: The lines.
  private func removal(of link: Link, isOfRow: Bool = false) -> [SQLFragment] {
    if place.isJoinTable {
      return ["DELETE FROM \(table) AS link WHERE \(link.isThat(in: place));"]
    }
    let columns = [place.link] + place.positions.map(\.column)
    let values =
      otherLinks(like: link, in: source) ?? columns.map { _ in "NULL" }.joined(separator: ", ")
    let isThat: SQLFragment = "link.\(place.link) = \(link.value(in: place))"
    return change(
      rowOf: link,
      where: isOfRow && !source.isJoinTable ? "(\(isThat) OR link.\(place.link) IS NULL)" : isThat,
      "(\(columns)) = ROW (\(values))"
    )
  }

  /// Returns the lines that give a new row the link that it has already; `nil` if it can have none.
  private func discovery(of link: Link) -> [SQLFragment]? {
    guard findsLinks else { return nil }
    let own = LinkBridgeFunction(bridge, in: schema, from: place, to: source)
    guard let values = own.otherLinks(like: link, in: place) else { return nil }
    let columns = [source.link] + source.positions.map(\.column)
    return [
      """
      IF EXISTS (SELECT FROM \(table) AS present
            WHERE present.\(place.column(keyOf: source)) = NEW.\(own.key)) THEN
      """,
      """
        UPDATE \(own.table) AS link SET (\(columns)) = ROW (\(values))
            WHERE link.\(own.key) = NEW.\(own.key) AND link.\(source.link) IS NULL;
      """,
      "END IF;",
    ]
  }

  private func reordering(of link: Link) -> SQLFragment? {
    let changes = place.positions.compactMap { position, column in
      bridge.positions.contains(position)
        ? link.position(position).map { (column: column, value: $0) } : nil
    }
    guard !changes.isEmpty else { return nil }
    // Links of a table of their own always have places.
    let assignments = changes.map {
      "\($0.column) = coalesce(\($0.value), link.\($0.column))" as SQLFragment
    }
    let differences = changes.map {
      "\($0.value) IS DISTINCT FROM link.\($0.column)" as SQLFragment
    }
    return """
      UPDATE \(table) AS link SET \(assignments.joined(separator: ", "))
            WHERE \(link.isThat(in: place)) AND (\(differences.joined(separator: " OR ")))
      """
  }

  // MARK: - Values

  /// Returns the values of the next link of a row, of which only the first fits; `nil` if there can be none.
  private func otherLinks(like link: Link, in source: LinkPlace) -> SQLFragment? {
    let key = source.column(keyOf: place)
    let value = place.isInTarget ? source.owner : source.target
    guard source.key != key else { return nil }
    let others = QualifiedName(schema: schema, name: source.table)
    let order: LinkPlace.Position = place.isInTarget ? .ofOwner : .ofTarget
    let sorting = source.column(of: order).map { "present.\($0), " as SQLFragment } ?? ""
    let places = place.positions.map { position, _ in
      bridge.positions.contains(position) ? source.column(of: position) : nil
    }
    return ([value] + places).map { column in
      guard let column else { return "NULL" }
      return """
        (SELECT present.\(column) FROM \(others) AS present
            WHERE present.\(key) = \(link.key(in: place)) AND present.\(value) IS NOT NULL\(isFree("present.\(value)"))
            ORDER BY \(sorting)present.\(value) LIMIT 1)
        """
    }.joined(separator: ", ")
  }

  /// Returns the condition, if there has to be one, that no row has a link to another yet.
  private func isFree(_ value: SQLFragment) -> SQLFragment {
    guard bridge.isCurrentUnique, place == bridge.current else { return "" }
    return """

          AND NOT EXISTS (SELECT FROM \(table) AS taken WHERE taken.\(place.link) = \(value))
      """
  }

  /// Returns the place of a link among others: the one that it has, or after them.
  private func position(_ position: LinkPlace.Position, of link: Link) -> SQLFragment {
    let known = bridge.positions.contains(position) ? link.position(position) : nil
    // Nothing finds the links of a retained column quickly.
    guard place.isJoinTable || place == bridge.current, let column = place.column(of: position)
    else { return known ?? "NULL" }
    let (end, value) =
      position == .ofTarget ? (place.owner, link.owner) : (place.target, link.target)
    let last: SQLFragment = """
      (SELECT coalesce(max(present.\(column)) + 1, 0) FROM \(table) AS present \
      WHERE present.\(end) = \(value))
      """
    return known.map { "coalesce(\($0), \(last))" } ?? last
  }
}
