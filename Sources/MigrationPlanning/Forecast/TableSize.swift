/// How large a table is, as the server's statistics have it.
public struct TableSize: Hashable, Sendable {
  /// The rows, as estimated.
  public let rows: Int
  /// The bytes, indexes included.
  public let bytes: Int

  /// Creates a size.
  public init(rows: Int, bytes: Int) {
    self.rows = rows
    self.bytes = bytes
  }

  /// A Boolean value that indicates whether going through the whole table takes no longer than any
  /// statement may.
  public var isSmall: Bool { rows < 100_000 && bytes < 10_000_000 }
}
