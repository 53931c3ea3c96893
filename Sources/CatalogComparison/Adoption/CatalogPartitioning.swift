/// How a table is divided into partitions, as the catalog has it.
package struct CatalogPartitioning: Hashable, Sendable, Decodable {
  /// What the rows are divided by, as the catalog abbreviates it.
  package enum Strategy: String, Hashable, Sendable, Decodable {
    case range = "r"
    case list = "l"
    case hash = "h"
  }

  /// What the rows are divided by.
  package var strategy: Strategy
  /// The columns that are compared, without expressions.
  package var columns: [String]
  /// A Boolean value that indicates whether columns alone are compared, in the usual way of their types.
  package var isPlain: Bool
  /// The partitions, by name.
  package var partitions: [CatalogPartition]
}

/// A partition as the catalog has it.
package struct CatalogPartition: Hashable, Sendable, Decodable {
  /// An end of an interval of times or whole numbers.
  package struct End: Hashable, Sendable, Decodable {
    /// The number, or the seconds since 1970, in UTC.
    package var value: Int64
    /// How many months there are from the year 0 to that moment, if a month begins then.
    package var month: Int64?
  }

  /// Which rows are in it, in the server's words: `FOR VALUES IN ('eu')`, `DEFAULT`.
  package var bound: String
  /// A Boolean value that indicates whether it has partitions itself.
  package var isPartitioned: Bool
  /// The first value; none if there is none, or if it is neither a time nor a whole number.
  package var low: End?
  /// The value after the last one.
  package var high: End?
  /// A Boolean value that indicates whether its time is still to come.
  package var isAhead: Bool
}
