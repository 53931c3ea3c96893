internal import SQLSyntax

/// The statements that create and drop the triggers of a bridge.
struct BridgeStatements {
  let bridge: TableBridge
  /// The table.
  let table: QualifiedName
  /// The function of the triggers, in the schema of the views of the version before.
  let function: QualifiedName

  /// Creates the statements of a bridge.
  ///
  /// - Parameters:
  ///   - bridge: The bridge.
  ///   - interface: The interface of the version before.
  ///   - schema: The schema of the table.
  init(_ bridge: TableBridge, of interface: VersionInterface, in schema: SQLIdentifier) {
    self.bridge = bridge
    table = QualifiedName(schema: schema, name: bridge.table)
    function = QualifiedName(schema: interface.schema, name: bridge.table)
  }

  private var names: [SQLIdentifier] {
    [BridgeTrigger.insertion] + (updateConditions.isEmpty ? [] : [BridgeTrigger.update])
  }

  /// The triggers.
  var triggers: [BridgeTrigger] {
    let recreation = (removal + creation).map(\.sql)
    return names.map {
      BridgeTrigger(
        name: $0,
        table: table.name,
        code: body.text,
        firesAlways: true,
        readColumns: $0 == BridgeTrigger.update
          ? changingColumns.union(missingColumns) : bridge.writer == nil ? missingColumns : [],
        recreation: recreation
      )
    }
  }

  /// The statements that create the function and the triggers.
  var creation: [PlannedStatement] {
    let reason = "keep table \"\(table.name)\" in step for both versions"
    let uses: Set<SessionDefault.Use> =
      bridge.readsFormats ? [.names, .syntax, .formats] : [.names, .syntax]
    let impact = OperationImpact(locks: [table.name: .shareRowExclusive])
    var statements = [
      PlannedStatement(
        sql: """
          CREATE FUNCTION \(function)() RETURNS trigger LANGUAGE plpgsql
            \(SessionDefault.functionClauses(uses)) AS \(body.dollarQuoted)
          """,
        reason: reason
      ),
      PlannedStatement(
        sql: "REVOKE ALL ON FUNCTION \(function)() FROM PUBLIC",
        reason: "keep others from calling the function of table \"\(table.name)\""
      ),
      PlannedStatement(
        sql: """
          CREATE TRIGGER \(BridgeTrigger.insertion) BEFORE INSERT ON \(table)
            FOR EACH ROW\(condition(bridge.writer == nil ? missing : [])) EXECUTE FUNCTION \(function)()
          """,
        reason: reason,
        impact: impact
      ),
    ]
    if !updateConditions.isEmpty {
      statements.append(
        PlannedStatement(
          sql: """
            CREATE TRIGGER \(BridgeTrigger.update) BEFORE UPDATE ON \(table)
              FOR EACH ROW\(condition(updateConditions)) EXECUTE FUNCTION \(function)()
            """,
          reason: reason,
          impact: impact
        )
      )
    }
    // Sessions that play back others' changes fire no ordinary triggers.
    let enabled = names.map { "ENABLE ALWAYS TRIGGER \($0)" as SQLFragment }
    statements.append(
      PlannedStatement(
        sql: "ALTER TABLE \(table) \(enabled.joined(separator: ", "))",
        reason: "keep rows that replication writes in step",
        impact: impact
      )
    )
    return statements
  }

  /// The statements that drop the triggers and the function.
  var removal: [PlannedStatement] {
    let reason = "keep table \"\(table.name)\" in step no longer"
    let impact = OperationImpact.accessExclusive(table.name)
    return [BridgeTrigger.insertion, BridgeTrigger.update].map {
      PlannedStatement(
        sql: "DROP TRIGGER IF EXISTS \($0) ON \(table)",
        reason: reason,
        impact: impact
      )
    } + [PlannedStatement(sql: "DROP FUNCTION IF EXISTS \(function)()", reason: reason)]
  }

  /// The groups that a release can change by an update.
  private var changingGroups: [TableBridge.Group] {
    bridge.groups.filter { !$0.former.isEmpty && !$0.current.isEmpty }
  }

  private var changingValues: [TableBridge.Value] {
    changingGroups.flatMap { $0.current + $0.former }
  }

  private var updateConditions: [SQLFragment] { changingValues.map(\.isChanged) + missing }

  private var changingColumns: Set<SQLIdentifier> { Set(changingValues.map(\.column)) }

  /// The conditions that a row lacks a value which has something in place of NULL.
  private var missing: [SQLFragment] { bridge.fallbacks.map(\.isMissing) }

  private var missingColumns: Set<SQLIdentifier> {
    Set(
      bridge.fallbacks.flatMap {
        $0.entities == nil ? [$0.column] : [$0.column, StorageNames.discriminator]
      }
    )
  }

  /// Returns the clause by which a trigger fires where one of the conditions is true, or for each row if there is
  /// none.
  private func condition(_ conditions: [SQLFragment]) -> SQLFragment {
    conditions.isEmpty ? "" : " WHEN (\(conditions.joined(separator: " OR ")))"
  }

  /// The code of the function.
  var body: SQLFragment {
    var lines = bridge.writer == nil ? [] : synchronization
    for value in bridge.fallbacks {
      lines.append("IF \(value.isMissing) THEN")
      lines.append("  \(value.assignment)")
      lines.append("END IF;")
    }
    lines.append("RETURN NEW;")
    let text = lines.map { "  \($0)" as SQLFragment }.joined(separator: "\n")
    return """

      DECLARE
        \(FilledTable.row) ALIAS FOR NEW;
      BEGIN
      \(text)
      END

      """
  }

  /// The lines by which columns of both versions follow from each other.
  private var synchronization: [SQLFragment] {
    let former = bridge.groups.flatMap(\.former)
    let current = bridge.groups.flatMap(\.current)
    var lines: [SQLFragment] = ["IF TG_OP = 'INSERT' THEN"]
    lines.append("  IF NEW.\(BridgeDraft.writer) THEN")
    lines += current.map { "    \($0.assignment)" }
    lines.append("  ELSE")
    lines += former.map { "    \($0.assignment)" }
    lines.append("  END IF;")
    lines.append("  NEW.\(BridgeDraft.writer) := NULL;")
    let changing = changingGroups
    if !changing.isEmpty { lines.append("ELSE") }
    for group in changing {
      lines.append("  IF \(group.current.map(\.isChanged).joined(separator: " OR ")) THEN")
      lines += group.former.map { "    \($0.assignment)" }
      lines.append("  ELSIF \(group.former.map(\.isChanged).joined(separator: " OR ")) THEN")
      lines += group.current.map { "    \($0.assignment)" }
      lines.append("  END IF;")
    }
    lines.append("END IF;")
    return lines
  }
}

extension TableBridge.Value {
  /// The condition that a statement changes the column.
  fileprivate var isChanged: SQLFragment {
    let cast: SQLFragment = isComparedAsText ? "::text" : ""
    return "NEW.\(column)\(cast) IS DISTINCT FROM OLD.\(column)\(cast)"
  }

  /// The condition that a row lacks the value.
  fileprivate var isMissing: SQLFragment {
    let isNull: SQLFragment = "NEW.\(column) IS NULL"
    guard let entities else { return isNull }
    let names = entities.map { "\(SQLLiteral.text($0))" as SQLFragment }.joined(separator: ", ")
    return "(NEW.\(StorageNames.discriminator) IN (\(names)) AND \(isNull))"
  }

  fileprivate var assignment: SQLFragment {
    "NEW.\(column) := \(SQLFragment(deparsed: expression));"
  }
}
