package import SQLSyntax

/// What a table is on its server, where it is more than one table in one place.
public struct TableKind: Hashable, Sendable {
  /// The partition key, as the server has it: `RANGE (placed)`; none of a table without partitions.
  public var partitionKey: String?
  /// The columns of the partition key.
  package var partitionColumns: [SQLIdentifier]
  /// The partitions that have rows, not those that have partitions themselves.
  package var leaves: [QualifiedName]
  /// Where Citus keeps the rows; none if the server itself has them.
  public var placement: Placement?
  /// A Boolean value that indicates whether Citus has put it there by itself, as it refers to a table on all nodes.
  package var isConverted = false

  /// Where Citus keeps the rows of a table.
  public enum Placement: Hashable, Sendable {
    /// On every node, each with all rows.
    case reference
    /// In shards, by the values of a column; 0 stands for a number that is not known yet.
    ///
    /// The rows of equal values of two tables with the same colocation are on the same node.
    case distributed(by: String, shards: Int, colocation: Int)
    /// In one shard, as all tables of its schema, or by itself.
    ///
    /// Tables with the same colocation are on the same node.
    case singleShard(colocation: Int)
    /// On the coordinator, and known to the other nodes.
    case coordinator
  }

  /// Creates a kind.
  package init(
    partitionKey: String? = nil,
    partitionColumns: [SQLIdentifier] = [],
    leaves: [QualifiedName] = [],
    placement: Placement? = nil
  ) {
    self.partitionKey = partitionKey
    self.partitionColumns = partitionColumns
    self.leaves = leaves
    self.placement = placement
  }

  /// The columns without which nothing is unique over all parts of the table.
  var uniquingColumns: [SQLIdentifier] {
    guard case .distributed(let column, _, _) = placement else { return partitionColumns }
    return partitionColumns + [SQLIdentifier(column)]
  }

  /// A Boolean value that indicates whether rows are on nodes other than the coordinator.
  package var isOnOtherNodes: Bool { placement != nil && placement != .coordinator }
}

extension TableKind: CustomStringConvertible {
  /// The kind, as the end of a sentence about the table: `partitioned by RANGE (placed)`.
  public var description: String {
    [partitionKey.map { "partitioned by \($0)" }, placement?.description].compactMap(\.self)
      .joined(separator: " and ")
  }
}

extension TableKind.Placement {
  /// The column whose values decide which node a row is on; none if no column does.
  var column: String? {
    if case .distributed(let column, _, _) = self { column } else { nil }
  }
}

extension TableKind.Placement: CustomStringConvertible {
  /// The placement, as the end of a sentence about the table: `a reference table of Citus`.
  public var description: String {
    switch self {
    case .reference: "a reference table of Citus"
    case .distributed(let column, 0, _): "distributed by \"\(column)\" with Citus"
    case .distributed(let column, let shards, _):
      "distributed by \"\(column)\" over \(shards) shards of Citus"
    case .singleShard: "in one shard of Citus"
    case .coordinator: "a table of Citus on the coordinator"
    }
  }
}
