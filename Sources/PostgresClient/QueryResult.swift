/// The rows that a statement returned, every value as text.
public struct QueryResult: Sendable {
  /// The columns' names.
  public let columns: [String]
  /// The rows' values in the order of the columns; `nil` is NULL.
  public let rows: [[String?]]
  /// The number of rows that the statement returned or changed, from the command tag.
  public let affectedRows: Int

  private let positions: [String: Int]

  /// Creates a result.
  package init(columns: [String], rows: [[String?]], affectedRows: Int? = nil) {
    self.columns = columns
    self.rows = rows
    self.affectedRows = affectedRows ?? rows.count
    positions = Dictionary(zip(columns, columns.indices)) { first, _ in first }
  }

  /// The first column of the first row, for statements that return one value.
  public var value: String? { rows.first?.first ?? nil }

  /// A row whose values are found by their columns' names.
  public struct Row: Sendable {
    /// The values in the order of the columns.
    public let values: [String?]
    let positions: [String: Int]

    /// The columns' names, in their order.
    package var columns: [String] {
      positions.sorted { $0.value < $1.value }.map(\.key)
    }

    /// The value of a column; `nil` if it is NULL or if there is no such column.
    public subscript(column: String) -> String? {
      positions[column].flatMap { values[$0] }
    }

    /// Returns the value of a column as an integer, or `nil` if it is NULL or not one.
    public func integer(_ column: String) -> Int? {
      self[column].flatMap { Int($0) }
    }

    /// Returns the value of a column as a Boolean, or `nil` if it is NULL or not one.
    public func boolean(_ column: String) -> Bool? {
      switch self[column] {
      case "t": true
      case "f": false
      default: nil
      }
    }
  }
}

extension QueryResult: RandomAccessCollection {
  /// The position of the first row.
  public var startIndex: Int { rows.startIndex }
  /// The position after the last row.
  public var endIndex: Int { rows.endIndex }

  /// The row at a position.
  public subscript(position: Int) -> Row {
    Row(values: rows[position], positions: positions)
  }
}
