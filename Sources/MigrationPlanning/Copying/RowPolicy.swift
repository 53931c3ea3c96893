public import ModelMapping
internal import ObjectModel
public import SQLSyntax

/// Rows that a policy makes in code: they are read by `COPY`, and what the policy makes of them is
/// written to a table of its own, which the query for the rows of the destination is joined with.
public struct RowPolicy: Hashable, Sendable {
  /// The entity mapping.
  public var mappingName: String
  /// The name under which the policy is registered.
  public var policyClassName: String
  /// What the policy says that its work is at.
  public var policyVersion: String
  /// How many rows it makes of one.
  public var count: InstanceCreation.Count
  /// What the rows have that it is handed, and those that it makes.
  public var layout: InstanceLayout
  /// The table of the source.
  public var source: SQLIdentifier
  /// The rows: their unit, the key of the source, then what the policy is handed.
  public var rows: CopyFeed
  /// The type of the units.
  public var unitType: SQLTypeName
  /// The table for what the policy makes.
  public var table: QualifiedName
  /// Its columns for the values, in the order of the layout.
  public var columns: [SQLIdentifier]
  /// What gives the rows their keys.
  public var keys: Keys

  /// What gives the rows that a policy makes their keys.
  public enum Keys: Hashable, Sendable {
    /// They have that of their unit.
    case ofUnit
    /// They have that of the source, and the table says so.
    case ofSource
    /// They get new ones, each by evaluating this.
    case new(SQLFragment)
  }

  /// The policy and its version, as a plan is told by them.
  var identity: String {
    "\(mappingName) \(policyClassName) \(policyVersion) \(count.rawValue)"
  }

  /// The columns of the table, the keys first.
  var allColumns: [SQLIdentifier] {
    let names = MappedRows.MapNames.self
    return (keys == .ofUnit ? [] : [names.source]) + [names.destination] + columns
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
  public func reading(from start: String?, to end: String?) -> SQLFragment {
    let range = KeyRange(start: start, end: end, type: unitType)
    let query =
      start == nil && end == nil ? rows.query() : rows.query { range.condition($0) }
    // A choice is ordered by the units already.
    let order: SQLFragment = rows.choice.isEmpty ? "\n  ORDER BY \(rows.unit)" : ""
    return "COPY (\n\(query)\(order)\n) TO STDOUT"
  }

  /// The statement that takes what the policy has made.
  public var writing: SQLFragment { "COPY \(table) (\(allColumns)) FROM STDIN" }

  /// Returns the query for so many new keys, with the one column `key`; none if rows have others.
  public func newKeys(_ count: Int) -> SQLFragment? {
    guard case .new(let key) = keys else { return nil }
    let number = SQLLiteral.integer(Int64(count))
    return "SELECT \(key) AS key FROM pg_catalog.generate_series(1, \(number))"
  }
}
