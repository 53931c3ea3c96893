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
          readColumns: nil,
          recreation: recreation
        )
      }
    }
  }

  /// The statements that create the functions and the triggers.
  var creation: [PlannedStatement] {
    parts.flatMap { part -> [PlannedStatement] in
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
              \(SessionDefault.functionClauses([.names])) AS \(part.body.dollarQuoted)
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

  /// Returns what writes at a place what is written at the other.
  private func part(from place: LinkPlace, to other: LinkPlace) -> Part {
    let function = LinkBridgeFunction(bridge, in: schema, from: place, to: other)
    let name = "\(place.table.name).\(place.link.name)"
    let isChanged = function.columns.map { column in
      "OLD.\(column) IS DISTINCT FROM NEW.\(column)" as SQLFragment
    }.joined(separator: " OR ")
    func isPresent(_ row: SQLFragment) -> SQLFragment? {
      place.isJoinTable ? nil : "\(row).\(place.link) IS NOT NULL"
    }
    return Part(
      function: self.function("link", name),
      table: place.table,
      body: function.body,
      triggers: [
        (
          trigger("insert", name), "AFTER INSERT",
          function.findsLinks ? nil : isPresent("NEW")
        ),
        (trigger("update", name), "AFTER UPDATE", isChanged),
        (trigger("delete", name), "AFTER DELETE", isPresent("OLD")),
      ]
    )
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
      let columns = [former.link] + former.positions.map(\.column)
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
}
