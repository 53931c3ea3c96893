internal import ObjectModel
internal import SQLSyntax

/// The statements that create and drop the triggers which keep links in step.
///
/// Each writes what the other place lacks, so that the one that it wakes there finds nothing to do.
struct LinkBridgeStatements {
  private let bridge: LinkBridge
  private let interface: VersionInterface
  private let schema: SQLIdentifier

  /// Creates the statements of a bridge.
  ///
  /// - Parameters:
  ///   - bridge: The bridge.
  ///   - interface: The interface of the version before.
  ///   - schema: The schema of the tables.
  init(_ bridge: LinkBridge, of interface: VersionInterface, in schema: SQLIdentifier) {
    self.bridge = bridge
    self.interface = interface
    self.schema = schema
  }

  /// A function with the triggers that call it.
  private struct Part {
    let function: QualifiedName
    let table: SQLIdentifier
    let body: SQLFragment
    /// The triggers with their events and conditions.
    let triggers: [(name: SQLIdentifier, event: SQLFragment, condition: SQLFragment?)]
  }

  /// The triggers.
  var triggers: [BridgeTrigger] {
    let recreation = (removal + creation).map(\.sql)
    return parts.flatMap { part in
      part.triggers.map {
        BridgeTrigger(
          name: $0.name,
          table: part.table,
          code: part.body.text,
          firesAlways: false,
          recreation: recreation
        )
      }
    }
  }

  /// The statements that create the functions and the triggers.
  var creation: [PlannedStatement] {
    let settings = SessionDefault.all.filter(\.decidesValues)
      .map { "SET \($0.name) = \($0.value)" as SQLFragment }
      .joined(separator: "\n  ")
    return parts.flatMap { part -> [PlannedStatement] in
      let reason = "keep links of table \"\(part.table)\" in step for both versions"
      let table = QualifiedName(schema: schema, name: part.table)
      let impact = OperationImpact(locks: [part.table: .shareRowExclusive])
      let triggers = part.triggers.map { trigger in
        let condition = trigger.condition.map { " WHEN (\($0))" as SQLFragment } ?? ""
        return PlannedStatement(
          sql: """
            CREATE TRIGGER \(trigger.name) \(trigger.event) ON \(table)
              FOR EACH ROW\(condition) EXECUTE FUNCTION \(part.function)()
            """,
          reason: reason,
          impact: impact
        )
      }
      return [
        PlannedStatement(
          sql: """
            CREATE FUNCTION \(part.function)() RETURNS trigger LANGUAGE plpgsql
              \(settings) AS \(part.body.dollarQuoted)
            """,
          reason: reason
        ),
        PlannedStatement(
          sql: "REVOKE ALL ON FUNCTION \(part.function)() FROM PUBLIC",
          reason: "keep others from calling function \"\(part.function.name)\""
        ),
      ] + triggers
    }
  }

  /// The statements that drop the triggers and the functions.
  var removal: [PlannedStatement] {
    parts.flatMap { part -> [PlannedStatement] in
      let reason = "keep links of table \"\(part.table)\" in step no longer"
      let table = QualifiedName(schema: schema, name: part.table)
      return part.triggers.map {
        PlannedStatement(
          sql: "DROP TRIGGER IF EXISTS \($0.name) ON \(table)",
          reason: reason,
          impact: .accessExclusive(part.table)
        )
      } + [PlannedStatement(sql: "DROP FUNCTION IF EXISTS \(part.function)()", reason: reason)]
    }
  }

  /// The statement that takes the positions at the former place from the new one, if they have been numbered.
  var alignment: [PlannedStatement] {
    let (former, current) = (bridge.former, bridge.current)
    let columns = LinkPlace.Position.allCases.filter(bridge.numberedPositions.contains).compactMap {
      position -> SQLFragment? in
      guard let column = former.column(of: position), let source = current.column(of: position)
      else { return nil }
      return "\(column) = link.\(source)"
    }
    guard !columns.isEmpty else { return [] }
    let (place, source) = (
      QualifiedName(schema: schema, name: former.table),
      QualifiedName(schema: schema, name: current.table)
    )
    return [
      PlannedStatement(
        sql: """
          UPDATE \(place) AS former SET \(columns.joined(separator: ", "))
            FROM \(source) AS link WHERE former.\(former.owner) = link.\(current.owner)
            AND former.\(former.target) = link.\(current.target)
          """,
        reason: "number links of table \"\(former.table)\" as those of table \"\(current.table)\"",
        impact: OperationImpact(
          locks: [former.table: .rowExclusive],
          scans: [former.table, current.table]
        )
      )
    ]
  }

  // MARK: - Functions

  private var parts: [Part] {
    let (former, current) = (bridge.former, bridge.current)
    return [part(from: former, to: current), part(from: current, to: former)]
      + bridge.ends.map(part)
  }

  private func part(from place: LinkPlace, to other: LinkPlace) -> Part {
    let name = "\(place.table.name).\(place.link.name)"
    let isChanged = places(place).map { column in
      "OLD.\(column) IS DISTINCT FROM NEW.\(column)" as SQLFragment
    }.joined(separator: " OR ")
    func isPresent(_ row: SQLFragment) -> SQLFragment? {
      place.isJoinTable ? nil : "\(row).\(place.link) IS NOT NULL"
    }
    return Part(
      function: function("link", name),
      table: place.table,
      body: body(from: place, to: other),
      triggers: [
        (
          trigger("insert", name), "AFTER INSERT",
          findsLinks(of: place, in: other) ? nil : isPresent("NEW")
        ),
        (trigger("update", name), "AFTER UPDATE", isChanged),
        (trigger("delete", name), "AFTER DELETE", isPresent("OLD")),
      ]
    )
  }

  /// Returns whether a new row without a link can have one already, in a table of links that was written before it.
  private func findsLinks(of place: LinkPlace, in other: LinkPlace) -> Bool {
    !place.isJoinTable && other.isJoinTable
  }

  /// The columns of a place whose changes count.
  private func places(_ place: LinkPlace) -> [SQLIdentifier] {
    [place.owner, place.target]
      + LinkPlace.Position.allCases.filter(bridge.positions.contains)
      .compactMap(place.column)
  }

  /// Returns what removes the links of deleted rows at one end.
  private func part(_ end: LinkBridge.End) -> Part {
    let former = bridge.former
    let place = QualifiedName(schema: schema, name: former.table)
    let name = "\(place.name.name).\(end.column.name)"
    let isTarget = former.isJoinTable && end.column != former.column(keyOf: bridge.current)
    // The next link takes the place of one that goes, before the foreign key of the new place empties it. A row
    // cannot be changed while it is deleted.
    let removal: SQLFragment
    if !former.isJoinTable {
      let columns = [former.link] + positions(of: former).map(\.1)
      let nothing = columns.map { "\($0) = NULL" as SQLFragment }.joined(separator: ", ")
      removal = "UPDATE \(place) AS link SET \(nothing) WHERE link.\(end.column) = OLD.\(end.key)"
    } else {
      let others: SQLFragment =
        isTarget && end.table == bridge.current.table
        ? " AND link.\(former.owner) <> link.\(former.target)" : ""
      removal = "DELETE FROM \(place) AS link WHERE link.\(end.column) = OLD.\(end.key)\(others)"
    }
    return Part(
      function: function("end", name),
      table: end.table,
      body: """

        BEGIN
          \(removal);
          RETURN OLD;
        END

        """,
      triggers: [(trigger("end", name), isTarget ? "BEFORE DELETE" : "AFTER DELETE", nil)]
    )
  }

  private func function(_ kind: String, _ name: String) -> QualifiedName {
    QualifiedName(
      schema: interface.schema,
      name: StorageNames.fitted("remodel_\(kind).\(name)")
    )
  }

  private func trigger(_ event: String, _ name: String) -> SQLIdentifier {
    StorageNames.fitted("~remodel_link_\(event).\(name)")
  }

  private func body(from place: LinkPlace, to other: LinkPlace) -> SQLFragment {
    let new = Link(place, "NEW")
    let old = Link(place, "OLD")
    let moves = reordering(of: new, in: other).map { "      \($0);\n" as SQLFragment } ?? ""
    return """

      BEGIN
        IF TG_OP = 'DELETE' THEN
          \(locking(old, in: other))\(removal(of: old, from: other, isOfRow: true));
          RETURN NULL;
        END IF;
        IF TG_OP = 'UPDATE' THEN
          IF OLD.\(place.owner) IS NOT DISTINCT FROM NEW.\(place.owner)
              AND OLD.\(place.target) IS NOT DISTINCT FROM NEW.\(place.target) THEN
      \(moves)      RETURN NULL;
          END IF;
          \(locking(old, in: other))\(removal(of: old, from: other));
        END IF;
      \(discovery(of: new, in: other))  \(locking(new, in: other))\(addition(of: new, to: other));
        RETURN NULL;
      END

      """
  }

  // MARK: - Links

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

    func isThat(in place: LinkPlace, _ name: SQLFragment) -> SQLFragment {
      "\(name).\(place.owner) = \(owner) AND \(name).\(place.target) = \(target)"
    }
  }

  private func positions(of place: LinkPlace) -> [(LinkPlace.Position, SQLIdentifier)] {
    LinkPlace.Position.allCases.compactMap { position in
      place.column(of: position).map { (position, $0) }
    }
  }

  /// Returns the statement that gives a new row the link that it has already, if it can have one.
  private func discovery(of link: Link, in other: LinkPlace) -> SQLFragment {
    let place = link.place
    guard findsLinks(of: place, in: other),
      let others = otherLinks(like: link, in: other, for: place)
    else { return "" }
    let table = QualifiedName(schema: schema, name: place.table)
    let columns = [place.link] + positions(of: place).map(\.1)
    let key = key(of: place)
    let known = place.isInTarget ? other.target : other.owner
    return """
        IF TG_OP = 'INSERT' AND NEW.\(place.link) IS NULL THEN
            UPDATE \(table) AS link SET (\(columns)) = ROW (\(others))
              WHERE link.\(key) = NEW.\(key) AND link.\(place.link) IS NULL
              AND EXISTS (SELECT FROM \(QualifiedName(schema: schema, name: other.table)) AS present
                WHERE present.\(known) = NEW.\(key));
            RETURN NULL;
          END IF;

      """
  }

  /// Returns the statement that waits for others who change the links of the same row, whose links the next one sees.
  private func locking(_ link: Link, in place: LinkPlace) -> SQLFragment {
    guard !place.isJoinTable else { return "" }
    let table = QualifiedName(schema: schema, name: place.table)
    return """
      PERFORM FROM \(table) AS link WHERE link.\(key(of: place)) = \(link.key(in: place))
            FOR NO KEY UPDATE;
          
      """
  }

  private func addition(of link: Link, to place: LinkPlace) -> SQLFragment {
    let table = QualifiedName(schema: schema, name: place.table)
    let positions = positions(of: place).map { position, column in
      (column: column, value: self.position(position, of: link, in: place))
    }
    if place.isJoinTable {
      let names = [place.owner, place.target] + positions.map(\.column)
      let values = [link.owner, link.target] + positions.map(\.value)
      return """
        INSERT INTO \(table) (\(names))
            SELECT \(values.joined(separator: ", "))
            WHERE \(link.owner) IS NOT NULL AND \(link.target) IS NOT NULL
            ON CONFLICT DO NOTHING
        """
    }
    let changes = positions.map { ", \($0.column) = \($0.value)" as SQLFragment }
      .joined(separator: "")
    return """
      UPDATE \(table) AS link SET \(place.link) = \(link.value(in: place))\(changes)
          WHERE link.\(key(of: place)) = \(link.key(in: place)) AND link.\(place.link) IS NULL
          AND \(link.value(in: place)) IS NOT NULL\(isFree(link.value(in: place), in: place))
      """
  }

  /// Returns the column with the key of the rows that have the links of a place.
  private func key(of place: LinkPlace) -> SQLIdentifier {
    place.isInTarget ? place.target : place.owner
  }

  /// Returns the condition, if there has to be one, that no row has a link to another yet.
  private func isFree(_ value: SQLFragment, in place: LinkPlace) -> SQLFragment {
    guard bridge.isCurrentUnique, place == bridge.current else { return "" }
    let table = QualifiedName(schema: schema, name: place.table)
    return """

          AND NOT EXISTS (SELECT FROM \(table) AS taken WHERE taken.\(place.link) = \(value))
      """
  }

  private func position(
    _ position: LinkPlace.Position,
    of link: Link,
    in place: LinkPlace
  ) -> SQLFragment {
    let known = bridge.positions.contains(position) ? link.position(position) : nil
    // Nothing finds the links of a retained column quickly.
    guard place.isJoinTable || place == bridge.current, let column = place.column(of: position)
    else { return known ?? "NULL" }
    let table = QualifiedName(schema: schema, name: place.table)
    let (end, value) =
      position == .ofTarget ? (place.owner, link.owner) : (place.target, link.target)
    let last: SQLFragment = """
      (SELECT coalesce(max(present.\(column)) + 1, 0) FROM \(table) AS present \
      WHERE present.\(end) = \(value))
      """
    return known.map { "coalesce(\($0), \(last))" } ?? last
  }

  /// Returns the statement that removes a link, and has the next one take its place where only one fits.
  ///
  /// - Parameters:
  ///   - link: The link.
  ///   - place: The place.
  ///   - isOfRow: Whether the row of the link is deleted, which a foreign key of the place may have noticed before.
  /// - Returns: The statement.
  private func removal(
    of link: Link,
    from place: LinkPlace,
    isOfRow: Bool = false
  ) -> SQLFragment {
    let table = QualifiedName(schema: schema, name: place.table)
    if place.isJoinTable {
      return "DELETE FROM \(table) AS link WHERE \(link.isThat(in: place, "link"))"
    }
    let columns = [place.link] + positions(of: place).map(\.1)
    var rest: SQLFragment = "WHERE \(link.isThat(in: place, "link"))"
    if isOfRow, !link.place.isJoinTable {
      rest = """
        WHERE link.\(key(of: place)) = \(link.key(in: place))
            AND (link.\(place.link) = \(link.value(in: place)) OR link.\(place.link) IS NULL)
        """
    }
    guard let others = otherLinks(like: link, in: link.place, for: place) else {
      let nothing = columns.map { "\($0) = NULL" as SQLFragment }.joined(separator: ", ")
      return "UPDATE \(table) AS link SET \(nothing)\n      \(rest)"
    }
    return """
      UPDATE \(table) AS link SET (\(columns)) = ROW (\(others))
          \(rest)
      """
  }

  /// Returns the values of the next link of a row that loses one, of which it has the first alone; `nil` if there can
  /// be none.
  private func otherLinks(
    like link: Link,
    in source: LinkPlace,
    for place: LinkPlace
  ) -> SQLFragment? {
    let (key, value) =
      place.isInTarget ? (source.target, source.owner) : (source.owner, source.target)
    guard source.key != key else { return nil }
    let table = QualifiedName(schema: schema, name: source.table)
    let order: LinkPlace.Position = place.isInTarget ? .ofOwner : .ofTarget
    let sorting = source.column(of: order).map { "present.\($0), " as SQLFragment } ?? ""
    let free: SQLFragment = isFree("present.\(value)", in: place)
    let places = positions(of: place).map { position, _ in
      bridge.positions.contains(position) ? source.column(of: position) : nil
    }
    return ([value] + places).map { column in
      guard let column else { return "NULL" }
      return """
        (SELECT present.\(column) FROM \(table) AS present \
        WHERE present.\(key) = \(link.key(in: place)) AND present.\(value) IS NOT NULL\(free)
            ORDER BY \(sorting)present.\(value) LIMIT 1)
        """
    }.joined(separator: ", ")
  }

  private func reordering(of link: Link, in place: LinkPlace) -> SQLFragment? {
    let changes = positions(of: place).filter { bridge.positions.contains($0.0) }.compactMap {
      position,
      column in link.position(position).map { (column: column, value: $0) }
    }
    guard !changes.isEmpty else { return nil }
    let table = QualifiedName(schema: schema, name: place.table)
    // Links of a table of their own always have places.
    let assignments = changes.map {
      "\($0.column) = coalesce(\($0.value), link.\($0.column))" as SQLFragment
    }
    let differences = changes.map {
      "\($0.value) IS DISTINCT FROM link.\($0.column)" as SQLFragment
    }
    return """
      UPDATE \(table) AS link SET \(assignments.joined(separator: ", "))
            WHERE \(link.isThat(in: place, "link"))
            AND (\(differences.joined(separator: " OR ")))
      """
  }
}
