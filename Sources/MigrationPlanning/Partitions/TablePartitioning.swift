package import ObjectModel
package import SQLSyntax

/// How a table is divided into partitions.
package struct TablePartitioning: Hashable, Sendable {
  /// The column that decides which partition a row is in.
  package var column: SQLIdentifier
  /// The type of the column.
  package var type: SQLTypeName
  /// What its values are divided by.
  package var method: Method
  /// The storage parameters, which only partitions have.
  package var storage: [String: String] = [:]

  /// What the values of the column are divided by.
  package enum Method: Hashable, Sendable {
    /// Intervals, with some ahead of now, and some of the past that are kept.
    case range(
      every: PartitioningDescription.Interval,
      ahead: Int,
      retention: PartitioningDescription.Interval?
    )
    /// Values that have a partition each; others have one together, if there are any.
    case list([SQLLiteral], hasOthers: Bool)
    /// The remainders of their hashes.
    case hash(Int)
  }

  /// The partition key: `RANGE ("placed")`.
  package var key: SQLFragment { "\(SQLFragment(deparsed: strategy)) (\(column))" }

  /// The partition key as the catalog is asked for it: `RANGE (placed)`.
  package var description: String { "\(strategy) (\(column.name))" }

  private var strategy: String {
    switch method {
    case .range: "RANGE"
    case .list: "LIST"
    case .hash: "HASH"
    }
  }

  /// Returns whether a table is divided in this way already.
  func isThat(of kind: TableKind) -> Bool {
    guard kind.placement == nil, kind.partitionKey == description else { return false }
    if case .hash(let count) = method { return kind.leaves.count == count }
    return true
  }

  /// Returns whether partitions of another division may stay as they are: their values are divided by the
  /// same column in the same way.
  ///
  /// Intervals of another length, and further values, are those of new partitions.
  package func keepsPartitions(
    of other: TablePartitioning,
    columns: [SQLIdentifier: SQLIdentifier]
  )
    -> Bool
  {
    guard columns[other.column] == column, type == other.type else { return false }
    switch (other.method, method) {
    case (.range, .range): return true
    case (.list(_, let hadOthers), .list(_, let hasOthers)): return !hadOthers || hasOthers
    case (.hash(let before), .hash(let after)): return before == after
    case (_, _): return false  // Divided in another way.
    }
  }
}

extension TablePartitioning {
  /// Creates the division of a root entity's table; `nil` if it has none, or if a model that is only
  /// interpreted has one that no table has.
  init?(of root: EntityDescription, in projection: ModelProjection) {
    guard let partitioning = root.partitioning, let name = projection.table(of: root) else {
      return nil
    }
    var place: ColumnReference?
    var attribute: AttributeDescription?
    if let attributeName = partitioning.attributeName {
      attribute = root.attributes.first { $0.name == attributeName }
      place = projection.columns[.attribute(entity: root.name, attributeName, path: [])]
    } else {
      place = projection.columns[.key(entity: root.name)]
    }
    guard let column = place?.column,
      let type = projection.schema.tables[name]?.column(column)?.type
    else { return nil }
    self.column = column
    self.type = type
    storage = projection.schema.tables[name]?.storage ?? [:]
    switch partitioning.method {
    case .range(_, let every):
      method = .range(every: every, ahead: partitioning.ahead, retention: partitioning.retention)
    case .list(_, let values):
      let isInteger = attribute?.type.canonical.isInteger == true
      var known: [String] = values ?? []
      var hasOthers = true
      if case .enumeration(let all) = attribute?.type {
        hasOthers = values.map { Set($0) != Set(all) } ?? false
        if values == nil { known = all }
      }
      method = .list(
        known.map { isInteger ? .number($0, of: type) : .text($0) },
        hasOthers: hasOthers
      )
    case .hash(_, let count): method = .hash(count)
    }
  }
}
