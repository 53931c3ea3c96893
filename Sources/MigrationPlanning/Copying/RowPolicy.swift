package import ModelMapping
internal import ObjectModel
package import SQLSyntax

/// Rows that a policy creates in code: `COPY` reads them, and the policy's rows are written to a
/// table of its own, which the query for the rows of the destination is joined with.
package struct RowPolicy: Hashable, Sendable {
  /// The entity mapping.
  package var mappingName: String
  /// The name under which the policy is registered.
  package var policyClassName: String
  /// The version that the policy declares.
  package var policyVersion: String
  /// The number of rows that it creates from one.
  package var count: InstanceCreation.Count
  /// The methods in code that attributes get their values from.
  package var calls: [PolicyCall]
  /// Whether it is handed the migration manager.
  package var usesManager: Bool
  /// The entity mapping whose policy creates the rows through the manager.
  package var creatorName: String?
  /// The values of the rows that it gets, and of those that it creates.
  package var layout: InstanceLayout
  /// The table of the source.
  package var source: SQLIdentifier
  /// The rows: their unit, the key of the source, then the values for the policy.
  package var rows: CopyFeed
  /// The type of the units.
  package var unitType: SQLTypeName
  /// The table for the policy's rows.
  package var table: QualifiedName
  /// Its columns for the values, in the order of the layout.
  package var columns: [SQLIdentifier]
  /// The source of the rows' keys.
  package var keys: Keys

  /// The source of the keys of a policy's rows.
  package enum Keys: Hashable, Sendable {
    /// They have that of their unit.
    case ofUnit
    /// They have those of the source, and the table contains them.
    case ofSource
    /// They get new ones, each by evaluating this.
    case new(SQLFragment)
  }

  /// The policy and its version, as part of a plan's identity.
  var identity: String {
    (["\(mappingName) \(policyClassName) \(policyVersion) \(count.rawValue)"]
      + calls.map(\.description) + (usesManager ? ["manager"] : [])
      + [creatorName].compactMap(\.self)).joined(separator: " ")
  }

  /// The columns of the table, the keys first.
  var allColumns: [SQLIdentifier] {
    let names = MappedRows.MapNames.self
    let first = creatorName == nil ? [] : [names.isFirst]
    return (keys == .ofUnit ? [] : [names.source]) + [names.destination] + first + columns
  }

  /// The statement of a plan.
  var planned: PlannedStatement {
    var planned = PlannedStatement(
      sql: """
        \(reading(from: nil, to: nil));
        \(writing)
        """,
      reason:
        "pass rows of entity mapping \"\(mappingName)\" through policy \"\(policyClassName)\", "
        + "version \"\(policyVersion)\", in batches",
      impact: OperationImpact(locks: [source: .accessShare], scans: [source])
    )
    planned.rowPolicy = self
    return planned
  }

  /// Passes on everything that the policy depends on.
  func addFingerprint(to add: (String) -> Void) {
    add(identity)
    add(reading(from: nil, to: nil).text)
    add(writing.text)
    if case .new(let key) = keys { add(key.text) }
    for property in layout.source.properties + layout.destination.properties {
      add("\(property.name) \(property.type) \(property.isRequired)")
      add(property.defaultValue?.canonicalText ?? "")
    }
  }
}

extension RowPolicy {
  /// Returns the statement that sends the rows of a range to the policy, in the order of their units.
  ///
  /// - Parameters:
  ///   - start: The first unit, or `nil` if the range is open.
  ///   - end: The unit after the last, or `nil` if the range is open.
  /// - Returns: The statement.
  package func reading(from start: String?, to end: String?) -> SQLFragment {
    let range = KeyRange(start: start, end: end, type: unitType)
    let query =
      start == nil && end == nil ? rows.query() : rows.query { range.condition($0) }
    // A choice is ordered by the units already.
    let order: SQLFragment = rows.choice.isEmpty ? "\n  ORDER BY \(rows.unit)" : ""
    return "COPY (\n\(query)\(order)\n) TO STDOUT"
  }

  /// The statement that receives the policy's rows.
  package var writing: SQLFragment { "COPY \(table) (\(allColumns)) FROM STDIN" }

  /// Returns the query for so many new keys, with the one column `key`; none if rows have others.
  package func newKeys(_ count: Int) -> SQLFragment? {
    guard case .new(let key) = keys else { return nil }
    let number = SQLLiteral.integer(Int64(count))
    return "SELECT \(key) AS key FROM pg_catalog.generate_series(1, \(number))"
  }
}
